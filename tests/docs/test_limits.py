"""Limits of Spark that the documentation names: they fail here as soon as they are gone."""

import zipfile
from pathlib import Path

import pyspark

from tests.inputs import ROOT

JARS = Path(pyspark.__file__).parent / "jars"
FOLDER = "org/apache/spark/sql/execution/datasources/v2/python/"
INTERFACE = b"SupportsRealTimeMode"


def test_no_source_in_python_has_the_real_time_mode() -> None:
    """Sources have to implement an interface of Java; the last line says that this is its name."""
    limits = (ROOT / "docs/reference/limits.md").read_text(encoding="utf-8")
    assert INTERFACE.decode() in limits
    [sql] = JARS.glob("spark-sql_2*.jar")
    with zipfile.ZipFile(sql) as jar:
        names = [name for name in jar.namelist() if name.startswith(f"{FOLDER}PythonMicroBatch")]
        assert len(names) > 2
        assert not [name for name in names if INTERFACE in jar.read(name)]
    [catalyst] = JARS.glob("spark-catalyst_2*.jar")
    with zipfile.ZipFile(catalyst) as jar:
        assert any(INTERFACE.decode() in name for name in jar.namelist())
