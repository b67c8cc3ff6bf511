"""What a read gives, settled before its first byte: columns, their types, where they come from."""
