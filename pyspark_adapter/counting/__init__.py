"""The transactions of a log with what they change, counted; nothing is decoded."""
