"""Values that are encoded here by hand, from the format, come back from both decoders."""
