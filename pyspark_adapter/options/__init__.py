"""Every option of a read, and the types of their values."""
