"""How columns of numbers are treated: smooth functions, or cut points that are learned with the graph."""
