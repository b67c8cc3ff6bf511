"""Definitions of tables: read from SQL, kept along the log, and joined with what table maps say."""
