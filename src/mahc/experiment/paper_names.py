"""The algorithms that the paper compares, as it names them; a plan may say which contestant is which."""

ONLY_PRUNING, ONLY_AVERAGING = "MAHC_onlyPruning", "MAHC_onlyAveraging"
# The order of Table 6, the ablations after the algorithm they are parts of.
ALGORITHMS = (
    *("MAHC", ONLY_PRUNING, ONLY_AVERAGING, "HC", "TABU"),
    *("GOBNILP", "MMHC", "SaiyanH", "PC-Stable", "FCI"),
)
