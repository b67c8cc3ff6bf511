"""The options that select rows and events of a log."""
