"""The report of an experiment: the paper's tables and figures from our rows, the paper's numbers beside them."""
