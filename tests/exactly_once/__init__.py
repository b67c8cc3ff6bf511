"""Proof that a stream gives each change once, whatever is killed."""
