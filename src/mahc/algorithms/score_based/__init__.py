"""Search by score: HC, MAHC, TABU and their parts."""
