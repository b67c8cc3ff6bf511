"""The guide's program of a snapshot and the changes after it, made to be killed and started again.

Arguments: a folder, and the access to the server as JSON; then, to end when all is read, a file for
the rows as Spark has them.
"""

import json
import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from pyspark_adapter import DefaultSource
from pyspark_adapter.operations import selection
from tests.docs.pages import find_programs
from tests.exactly_once.shop_load import TABLES


def main(folder: str, access: str, target: str = "") -> None:
    os.chdir(folder)  # before Spark starts, whose processes have the same folder
    selection.CHUNK_ROWS = 500  # type: ignore[misc]
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    spark.dataSource.register(DefaultSource)
    trigger = {"availableNow": True} if target else {"processingTime": "0 seconds"}
    copying, reading = find_programs("python", "snapshot")
    queries, rows = [], {}
    for table in TABLES:
        text = copying.text
        for shown, own in (
            ('{"host": "db1", "user": "reader", "password": password}', "access"),
            ("stream.start()", "stream.trigger(**trigger).start()"),
        ):
            assert text.count(shown) == 1, shown
            text = text.replace(shown, own)
        names = {"spark": spark, "access": json.loads(access), "trigger": trigger}
        for program, shown in ((copying, text), (reading, reading.text.replace(".show()", ""))):
            if program is reading and not target:
                break
            exec(compile(shown.replace("orders", table), str(program.page), "exec"), names)  # noqa: S102
            if program is copying:
                queries.append(names["query"])
                if target:
                    names["query"].awaitTermination()
            else:
                rows[table] = names["rows"].toArrow().to_pydict()
    if not target:
        spark.streams.awaitAnyTermination()
    Path(target).write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    main(*sys.argv[1:])
