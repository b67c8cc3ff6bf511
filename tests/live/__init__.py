"""What real servers write, read back."""
