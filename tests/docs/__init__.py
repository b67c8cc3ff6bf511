"""The documentation is true: its programs run, and its tables are those of the code."""
