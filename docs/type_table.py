"""The table of column types: their types are those that the package decodes."""

from typing import Any, Final

import pyarrow as pa

from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.row_plan import default_type
from pyspark_adapter.spark.types import to_spark_schema
from pyspark_adapter.values.column_types import COLUMN_TYPE_BY_CODE, TextRules

_UNSIGNED: Final = {"is_unsigned": True}
_MEMBERS: Final = {"metadata": 1, "collation": 255, "members": (b"a", b"b")}

# What SQL calls it, its code, what else the log says of the column, and a note.
_ROWS: Final[tuple[tuple[str, Code, dict[str, Any], str], ...]] = (
    ("`TINYINT`", Code.tiny, {}, ""),
    ("`TINYINT UNSIGNED`", Code.tiny, _UNSIGNED, ""),
    ("`SMALLINT`", Code.short, {}, ""),
    ("`SMALLINT UNSIGNED`", Code.short, _UNSIGNED, ""),
    ("`MEDIUMINT`", Code.int24, {}, ""),
    ("`MEDIUMINT UNSIGNED`", Code.int24, _UNSIGNED, ""),
    ("`INT`", Code.long, {}, ""),
    ("`INT UNSIGNED`", Code.long, _UNSIGNED, ""),
    ("`BIGINT`", Code.longlong, {}, ""),
    ("`BIGINT UNSIGNED`", Code.longlong, _UNSIGNED, "option `unsignedBigint`: bigint or string"),
    ("`DECIMAL(p,s)`", Code.newdecimal, {"metadata": 10 | 2 << 8}, "more than 38 digits: string"),
    ("`FLOAT`", Code.float, {}, ""),
    ("`DOUBLE`", Code.double, {}, ""),
    ("`BIT`", Code.bit, {"metadata": 1}, "`BIT(64)`: decimal(20,0)"),
    ("`YEAR`", Code.year, {}, ""),
    ("`DATE`", Code.date, {}, "zero dates: option `zeroDateTimeBehavior`"),
    ("`DATETIME`", Code.datetime2, {}, "as `DATE`"),
    ("`TIMESTAMP`", Code.timestamp2, {}, "as `DATE`"),
    ("`TIME`", Code.time2, {}, "option `time`: string, or bigint (microseconds)"),
    (
        "`CHAR`, `VARCHAR`, `TINYTEXT`, `TEXT`, `MEDIUMTEXT`, `LONGTEXT`",
        Code.blob,
        {"metadata": 2, "collation": 255},
        "every character set of the servers, as UTF-8; without a known charset: binary, see"
        " `defaultCharset`; `COMPRESSED` (MariaDB) is inflated",
    ),
    (
        "`BINARY`, `VARBINARY`, `TINYBLOB`, `BLOB`, `MEDIUMBLOB`, `LONGBLOB`",
        Code.blob,
        {"metadata": 2, "collation": 63},
        "",
    ),
    (
        "`UUID`, `INET4`, `INET6`",
        Code.string,
        {"metadata": 16, "collation": 63, "fixed_type": "UUID"},
        "MariaDB; without a definition, or with `uuid` = `binary`: binary",
    ),
    ("`ENUM`", Code.enum, _MEMBERS, "without known members: the number, int"),
    ("`SET`", Code.set, _MEMBERS, "members with commas; without known members: the bits, bigint"),
    (
        "`JSON`",
        Code.json,
        {"metadata": 4},
        "the server's own text of the document; with `json` = `variant`: variant, its strings where"
        " that has no type (times, blobs, decimals of more than 38 digits)",
    ),
    (
        "`GEOMETRY` and its kinds",
        Code.geometry,
        {"metadata": 4},
        "a value of no bytes, which non-strict modes store, has no SRID; option `geometry`:"
        " geometry(any)",
    ),
    (
        "`VECTOR`",
        Code.vector,
        {"metadata": 4},
        "MySQL; MariaDB logs it as `VARBINARY`, and so it is binary",
    ),
)


def describe_types() -> str:
    """Return the column types, with those of Spark and Arrow, as a Markdown table."""
    lines = ["| column | Spark type | Arrow type | note |", "|---|---|---|---|"]
    for names, code, logged, note in _ROWS:
        facts = {"metadata": 0, "is_unsigned": None, "collation": None, "members": None} | logged
        column = Column(index=0, name=None, type_code=code, is_nullable=True, **facts)
        decoding = COLUMN_TYPE_BY_CODE[code].decode(column, TextRules("utf8mb4"))
        arrow_type = default_type(column, decoding.arrow_type, BinlogOptions())
        [field] = to_spark_schema(pa.schema([pa.field("c", arrow_type)])).fields
        spark_type = field.dataType.simpleString()
        if code == Code.newdecimal:
            spark_type, arrow_type = "decimal(p,s)", "decimal128(p, s)"
        lines.append(f"| {names} | {spark_type} | {arrow_type} | {note} |")
    return "\n".join(lines)
