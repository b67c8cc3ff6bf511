"""Benchmarks of the decoder and its peers, on logs of a real server."""
