"""The schema gives the same in every language that it is compiled to."""
