"""The paper: its printed numbers, its tables and figures computed from rows, and its findings."""
