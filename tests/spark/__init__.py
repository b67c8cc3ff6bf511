"""The data source in Spark."""
