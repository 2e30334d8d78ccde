"""The report of an experiment: tables, charts, sentences, and the files that hold them."""
