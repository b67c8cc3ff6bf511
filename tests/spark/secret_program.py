"""Reads a server in all ways of Spark, with its pages and event log on, and keeps what Spark says.

With the password in MYSQL_PWD: `python -m tests.spark.secret_program FOLDER PORT`.
"""

import json
import os
import sys
import urllib.request
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from pyspark_adapter import session

PAGES = ["SQL/", "SQL/execution/?id=0", "environment/", "jobs/", "stages/", "executors/"]
PAGES += ["StreamingQuery/", "api/v1/applications/{app}/sql?details=true&planDescription=true"]
PAGES += [f"api/v1/applications/{{app}}/{name}" for name in ("environment", "jobs", "stages")]


def main() -> None:
    """Run the program."""
    folder, port = Path(sys.argv[1]), sys.argv[2]
    conf = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.compress": "false",
        "spark.ui.enabled": "true",
        "spark.ui.port": "0",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "INFO",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.pyspark.worker.logging.enabled": "true",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.codegen.wholeStage": "false",  # to interpret the few plans is quicker
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    (folder / "events").mkdir()
    spark = session(conf=conf)
    given = {"host": "127.0.0.1", "port": port, "user": "reader", "table": "repl.notes"}
    given["password"] = os.environ["MYSQL_PWD"]
    said = read(spark, folder, given)
    base = spark.sparkContext.uiWebUrl
    app = spark.sparkContext.applicationId
    for page in PAGES:
        address = f"{base}/{page.format(app=app)}"
        with urllib.request.urlopen(address) as answer:  # noqa: S310 - of this machine
            said.append(answer.read().decode())
    (folder / "said").write_text("\n".join(said))
    spark.stop()


def read(spark: SparkSession, folder: Path, given: dict[str, str]) -> list[str]:
    """Read as a batch, as a view and as a stream, and fail; return plans, progress and errors."""
    frame = spark.read.format("mysql_binlog").options(**given).load()
    num_rows = len(frame.collect())
    said = [str(frame._jdf.queryExecution().toString()), repr(frame), str(frame.schema)]
    explain = spark._jvm.PythonSQLUtils.explainString  # type: ignore[union-attr]
    modes = ("extended", "cost", "formatted")
    said += [explain(frame._jdf.queryExecution(), mode) for mode in modes]
    frame.createOrReplaceTempView("notes")
    said.append(str(spark.sql("DESCRIBE EXTENDED notes").collect()))
    stream = spark.readStream.format("mysql_binlog").options(**given).load().writeStream
    stream = stream.format("noop").option("checkpointLocation", str(folder / "checkpoint"))
    query = stream.trigger(availableNow=True).start()
    query.awaitTermination()
    said += [json.dumps(dict(found), default=str) for found in query.recentProgress]
    query.explain(True)
    wrong = [{"user": "nobody"}, {"startingPosition": "none:4"}]
    for changed in [*wrong, {"passwort": given["password"]}]:
        try:
            spark.read.format("mysql_binlog").options(**given | changed).load().collect()
        except PySparkException as error:
            said += [f"error: {error}", str(error.getMessageParameters())]
    said.append(str(spark.tvf.python_worker_logs().collect()))
    assert num_rows
    return said


if __name__ == "__main__":
    main()
