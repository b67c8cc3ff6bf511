"""Row changes as SQL: statements that take them back, or make them again."""
