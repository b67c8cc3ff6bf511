"""JSON in the binary form of MySQL: documents as text, as a tree, as VARIANT, and their changes."""
