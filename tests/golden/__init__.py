"""What the official tools print of the samples, and how to read that text."""
