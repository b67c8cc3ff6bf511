"""The types of columns, and how a value of each is made of its bytes."""
