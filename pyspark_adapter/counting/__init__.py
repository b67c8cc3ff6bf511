"""The transactions and the tables of logs, with what is changed, counted; nothing is decoded."""
