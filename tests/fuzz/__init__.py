"""Damaged logs: every read ends in rows or in an error of ours."""
