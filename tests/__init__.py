"""Tests, by what they need: nothing, samples, a server, Spark."""
