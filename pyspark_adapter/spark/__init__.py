"""The Spark data source, and all other code that imports PySpark."""
