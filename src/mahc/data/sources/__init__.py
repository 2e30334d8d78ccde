"""Where data come from: text files, Parquet and Arrow files, data frames, arrays, lists."""
