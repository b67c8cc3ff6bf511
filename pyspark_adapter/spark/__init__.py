"""The source as Spark takes it; all that imports PySpark."""
