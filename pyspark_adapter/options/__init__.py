"""What can be asked of a read: every option, and the values that options have."""
