"""The page: one interactive view of a learned graph, in a report file, on a local server and in a notebook."""
