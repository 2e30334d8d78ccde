"""The local server of the page: loopback only, with a token; long work is done in processes of its own."""
