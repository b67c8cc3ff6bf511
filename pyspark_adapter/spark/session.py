"""A Spark session that finds this package."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from pyspark import SparkContext
from pyspark.sql import SparkSession

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.spark.versions import register


def session(
    app_name: str | None = None, conf: Mapping[str, str | int | bool] | None = None
) -> SparkSession:
    """Return a Spark session that reads `mysql_binlog` with the Python that runs.

    Spark starts its workers with the Python that the environment variable `PYSPARK_PYTHON` names,
    or else with the first `python3` on the path, which often lacks this package. If the variable is
    not set, it is set to the path of the running Python. On a cluster whose hosts have Python
    elsewhere, set it to theirs.

    Args:
        app_name: name of the application.
        conf: Spark's configuration, such as `{"spark.master": "local[4]"}`.

    Returns:
        The running session if there is one, with the data source registered, else a new one.

    Raises:
        BinlogError: if it has to start Java, and there is none.
    """
    # A JVM that runs, or was started by spark-submit, does not see the variable.
    has_jvm = SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ
    is_remote = "SPARK_REMOTE" in os.environ or "spark.remote" in (conf or {})
    if not has_jvm and not is_remote:
        check_java()
    python = os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder
    if app_name is not None:
        builder = builder.appName(app_name)
    for key, value in (conf or {}).items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    if has_jvm:
        if (context := SparkContext._active_spark_context) is not None:
            context.pythonExec = python
        register(spark, DefaultSource)
    return spark


def check_java() -> None:
    """Check that there is a Java, which Spark starts.

    Raises:
        BinlogError: if there is none. Spark's own error would be the trace of a shell script.
    """
    home = os.environ.get("JAVA_HOME")
    java = Path(home) / "bin/java" if home else "java"
    if shutil.which(java) is None:
        location = f"in JAVA_HOME ({home})" if home else "on the PATH"
        raise BinlogError(
            f"Spark needs Java 17 or later, and there is no `java` {location}",
            advice="install it (Debian: apt-get install openjdk-17-jre-headless) or set JAVA_HOME",
        )
