"""Tests of one module or one noun each, without a server and without Spark."""
