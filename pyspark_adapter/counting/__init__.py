"""The transactions and the tables of logs, with their changes, counted; nothing is decoded."""
