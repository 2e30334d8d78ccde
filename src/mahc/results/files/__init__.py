"""Results in files: one JSON file, or a folder with the graph and its picture."""
