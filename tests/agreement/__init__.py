"""The decoders against each other: kernels, plain Python and the schema itself."""
