"""Column types that values are written to on real servers, and the values."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from tests.live import random_documents as documents
from tests.live import random_values as make
from tests.live.random_values import Sql, Value, Values
from tests.live.servers import AnyServer, Feature
from tests.property.more_strategies import CHARSETS

MANY = [f"member {i}" for i in range(300)]
FEW = ["x", "B b", "ä", "it's", "中"]
DAYS: dict[str, Any] = {
    "first": datetime(1000, 1, 1),
    "last": datetime(9999, 12, 31, 23, 59, 59, 999_999),
}
EPOCH: dict[str, Any] = {
    "first": datetime(1970, 1, 1, 0, 0, 1),
    "last": datetime(2038, 1, 19, 3, 14, 7, 999_999),
}
LATE: dict[str, Any] = {
    "first": datetime(2038, 1, 19),
    "last": datetime(2106, 2, 7, 6, 28, 15, 999_999),
}
late = make.dates(**LATE, fsp=6)
FLOAT = make.floats("3.402823e38", "1.17549435e-38", 7)
DOUBLE = make.floats("1.7976931348623157e308", "2.2250738585072014e-308", 16)


def members(names: list[str]) -> str:
    """Return members as SQL declares them."""
    quoted = [name.replace("'", "''") for name in names]
    return "(" + ", ".join(f"'{name}'" for name in quoted) + ") CHARACTER SET utf8mb4"


CASES: list[tuple[str, Values]] = [
    ("TINYINT", make.signed(1)),
    ("TINYINT UNSIGNED", make.unsigned(1)),
    ("SMALLINT", make.signed(2)),
    ("SMALLINT UNSIGNED", make.unsigned(2)),
    ("MEDIUMINT", make.signed(3)),
    ("MEDIUMINT UNSIGNED", make.unsigned(3)),
    ("INT", make.signed(4)),
    ("INT UNSIGNED", make.unsigned(4)),
    ("BIGINT", make.signed(8)),
    ("BIGINT UNSIGNED", make.unsigned(8)),
    *((f"DECIMAL({p},{s})", make.decimals(p, s)) for p, s in ((1, 0), (1, 1), (9, 0), (10, 2))),
    *((f"DECIMAL({p},{s})", make.decimals(p, s)) for p, s in ((18, 9), (19, 10), (30, 30))),
    *((f"DECIMAL({p},{s})", make.decimals(p, s)) for p, s in ((38, 0), (38, 30), (37, 18))),
    *((f"DECIMAL({p},{s})", make.decimals(p, s)) for p, s in ((39, 0), (65, 0), (65, 30))),
    ("FLOAT", FLOAT),
    ("DOUBLE", DOUBLE),
    *((f"BIT({n})", make.bits(n)) for n in (1, 2, 7, 8, 9, 15, 16, 17, 24, 31, 33, 56, 63, 64)),
    ("YEAR", make.integers(1901, 2155)),
    ("YEAR", lambda _: ["0000", 2026]),
    ("DATE", make.dates(**DAYS)),
    ("DATE", make.zero_dates()),
    *((f"DATETIME({fsp})", make.dates(**DAYS, fsp=fsp)) for fsp in range(7)),
    ("DATETIME", make.zero_dates(" 00:00:00")),
    ("DATETIME(3)", make.zero_dates(" 12:34:56.789")),
    *((f"TIMESTAMP({fsp})", make.dates(**EPOCH, fsp=fsp)) for fsp in range(7)),
    ("TIMESTAMP", lambda _: ["0000-00-00 00:00:00", "2026-01-01 00:00:00"]),
    ("TIMESTAMP(6)", lambda _: ["0000-00-00 00:00:00", "1970-01-01 00:00:01.000001"]),
    *((f"TIME({fsp})", make.times(fsp)) for fsp in range(7)),
    ("CHAR(0)", lambda _: ["", ""]),
    ("CHAR(10) CHARACTER SET utf8mb4", make.texts(make.UTF8MB4, 10)),
    ("CHAR(255) CHARACTER SET utf8mb4", make.texts(make.UTF8MB4, 255)),
    ("CHAR(255) CHARACTER SET utf8mb3", make.texts(make.UTF8MB3, 255)),
    ("CHAR(255) CHARACTER SET latin1", make.texts(make.LATIN1, 255)),
    ("CHAR(7) CHARACTER SET ascii", make.texts(make.ASCII, 7)),
    ("CHAR(9) CHARACTER SET binary", make.binaries(9)),
    ("VARCHAR(63) CHARACTER SET utf8mb4", make.texts(make.UTF8MB4, 63)),
    ("VARCHAR(64) CHARACTER SET utf8mb4", make.texts(make.UTF8MB4, 64)),
    ("VARCHAR(16000) CHARACTER SET utf8mb4", make.texts(make.UTF8MB4, 16_000)),
    ("VARCHAR(85) CHARACTER SET utf8mb3", make.texts(make.UTF8MB3, 85)),
    ("VARCHAR(255) CHARACTER SET latin1", make.texts(make.LATIN1, 255)),
    ("VARCHAR(256) CHARACTER SET latin1", make.texts(make.LATIN1, 256)),
    ("VARCHAR(300) CHARACTER SET ascii", make.texts(make.ASCII, 300)),
    ("TINYTEXT CHARACTER SET latin1", make.texts(make.LATIN1, 255)),
    ("TEXT CHARACTER SET utf8mb4", make.texts(make.UTF8MB4, 16_383)),
    ("TEXT CHARACTER SET ascii", make.texts(make.ASCII, 65_535)),
    ("MEDIUMTEXT CHARACTER SET utf8mb3", make.texts(make.UTF8MB3, 70_000)),
    ("LONGTEXT CHARACTER SET utf8mb4", make.texts(make.UTF8MB4, 200_000)),
    ("TEXT CHARACTER SET binary", make.binaries(1000)),
    ("BINARY(1)", make.binaries(1)),
    ("BINARY(255)", make.binaries(255)),
    ("VARBINARY(255)", make.binaries(255)),
    ("VARBINARY(60000)", make.binaries(60_000)),
    ("TINYBLOB", make.binaries(255)),
    ("BLOB", make.binaries(65_535)),
    ("MEDIUMBLOB", make.binaries(70_000)),
    ("LONGBLOB", make.binaries(300_000)),
    (f"ENUM{members(FEW)}", make.members(FEW)),
    (f"ENUM{members(MANY)}", make.members(MANY)),
    *((f"SET{members(MANY[:n])}", make.subsets(MANY[:n])) for n in (1, 8, 9, 24, 33, 63, 64)),
    (f"SET{members(FEW)}", make.subsets(FEW)),
    *(
        (f"VARCHAR(60) CHARACTER SET {name}", make.texts(letters + " aZ~", 60))
        for name, (_, _, letters) in CHARSETS.items()
        if name != "gb18030"
    ),
    ("ENUM('é', '日本') CHARACTER SET utf16", make.members(["é", "日本"])),
    ("SET('č', 'я', '日') CHARACTER SET ucs2", make.subsets(["č", "я", "日"])),
    ("ENUM('ж', 'щ') CHARACTER SET cp1251", make.members(["ж", "щ"])),
    ("GEOMETRY", make.shapes),
    ("POINT", lambda _: [make.Sql("ST_GeomFromText('POINT(1 2)', 4326)")]),
]
MYSQL_CASES: list[tuple[str, Values]] = [
    ("JSON", make.documents),
    ("JSON", make.opaque_documents),
    ("JSON", documents.of_columns),
    ("JSON", documents.of_types),
    ("JSON", documents.of_doubles),
    ("JSON", documents.deep),
    ("VARCHAR(60) CHARACTER SET gb18030", make.texts(CHARSETS["gb18030"][2] + " aZ", 60)),
    ("VECTOR(3)", make.vectors),
    ("VECTOR", make.vectors),
]
MARIADB_CASES: list[tuple[str, Values]] = [
    *((f"DECIMAL({p},{s})", make.decimals(p, s)) for p, s in ((31, 31), (38, 38), (65, 38))),
    ("JSON", make.documents),
    ("TIMESTAMP(6)", late),
    *(
        (f"{name} COMPRESSED CHARACTER SET {charset}", make.repeated(make.texts(letters, 20), 20))
        for name in ("VARCHAR(400)", "TEXT", "LONGTEXT")
        for charset, letters in (("utf8mb4", make.UTF8MB4), ("cp1251", "Привет"), ("utf16", "é日"))
    ),
    ("VARBINARY(400) COMPRESSED", make.repeated(make.binaries(20), 20)),
    ("MEDIUMBLOB COMPRESSED", make.repeated(make.binaries(200), 50)),
    ("TIMESTAMP(6)", lambda _: ["1970-01-01 00:00:00.000001", "1970-01-01 00:00:00.5"]),
]

# What a type needs, by a pattern of its SQL.
NEEDED: tuple[tuple[str, Feature], ...] = (
    (r"(DATETIME|TIMESTAMP|TIME)\([0-6]\)", Feature.FRACTIONS),
    (r"JSON", Feature.JSON),
    (r"VECTOR", Feature.VECTOR),
    (r" COMPRESSED", Feature.COMPRESSED_COLUMNS),
    (r"gb18030", Feature.GB18030),
    (r"utf16le", Feature.UTF16LE),
    (r"DECIMAL\(\d+,3[1-9]\)", Feature.LONG_SCALE),
)


NEEDED_BY_VALUES: dict[Values, Feature] = {
    late: Feature.LATE_TIMESTAMPS,
    documents.of_columns: Feature.JSON_TABLE,
    documents.of_types: Feature.CAST_AS_YEAR,
    documents.of_doubles: Feature.SHOWN_DOUBLES,
}


def cases_of(server: AnyServer) -> list[tuple[str, Values]]:
    """Return the column types that a server has, as it spells them, with values."""
    of_flavor = MYSQL_CASES if server.flavor == "mysql" else MARIADB_CASES
    lacking = {values for values, feature in NEEDED_BY_VALUES.items() if not server.has(feature)}
    return [
        (spelled(sql_type, server), values)
        for sql_type, values in (*CASES, *of_flavor)
        if knows(server, sql_type) and values not in lacking
    ]


def knows(server: AnyServer, sql_type: str) -> bool:
    return all(server.has(feature) for text, feature in NEEDED if re.search(text, sql_type))


def spelled(sql_type: str, server: AnyServer) -> str:
    """Return a type as a server takes it."""
    return sql_type if server.has(Feature.UTF8MB3) else sql_type.replace("utf8mb3", "utf8")


def in_words_of(server: AnyServer, sql_type: str, value: Value) -> Value:
    """Return a value as an old server takes it, and shows it.

    Functions of shapes had no prefix once. Doubles of documents that are whole get a fraction.
    """
    if isinstance(value, Sql) and not server.has(Feature.SHAPE_FUNCTIONS):
        return Sql(value.expression.replace("ST_", ""))
    if isinstance(value, Sql) and not server.has(Feature.CAST_AS_YEAR):
        # MySQL 5.7 breaks lines of long bytes in base64 without an escape: that is no JSON.
        expression = value.expression.replace("REPEAT(X'61', 300)", "REPEAT(X'61', 30)")
        return Sql(expression.replace(", 'y', CAST(2026 AS YEAR)", ""))
    if sql_type == "JSON" and isinstance(value, str) and not server.has(Feature.SHOWN_DOUBLES):
        return json.dumps(_with_fractions(json.loads(value)), ensure_ascii=False)
    return value


def _with_fractions(document: object) -> object:
    # Of 16 digits, MySQL 5.7 reads a neighbour, which may be whole.
    if isinstance(document, float) and (document.is_integer() or abs(document) > 1e12):
        return int(document) % 10**12 + 0.5 if abs(document) < 1e15 else document
    if isinstance(document, list):
        return [_with_fractions(element) for element in document]
    if isinstance(document, dict):
        return {key: _with_fractions(element) for key, element in document.items()}
    return document
