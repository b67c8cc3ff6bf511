"""The rows of a table at a moment: a baseline, and the changes in the logs after it."""
