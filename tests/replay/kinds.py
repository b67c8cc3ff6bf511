"""Column types of each server, and values for them."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.live import random_documents
from tests.live import random_values as make
from tests.live.random_values import Sql, Value, Values
from tests.live.servers import AnyServer, server_named
from tests.live.value_cases import cases_of, in_words_of, knows, spelled
from tests.replay.configurations import Configuration

CHARSETS = (
    *("armscii8", "big5", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866"),
    *("cp932", "dec8", "eucjpms", "euckr", "gb2312", "gbk", "geostd8", "greek", "hebrew", "hp8"),
    *("keybcs2", "koi8r", "koi8u", "latin2", "latin5", "latin7", "macce", "macroman", "sjis"),
    *("swe7", "tis620", "ucs2", "ujis", "utf16", "utf16le", "utf32"),
)
# Of each script some; what a character set does not have, the server makes a question mark of.
LETTERS = make.UTF8MB4 + "ěřžŁőşğąλΩФжїґԱאשبتกข中文龍字漢仮名\uff76\uff85あア한글გთ\u2013…«»§½"
# Not U+FFFD: the servers have bytes for it in big5 (A2CE) and tis620 (FF), which are refused.
DEFINED = "".join(letter for letter in LETTERS if letter not in "\ufffd\uffff")


OPAQUE_DOCUMENTS = (make.opaque_documents, random_documents.of_columns, random_documents.of_types)

# Types that a column can get without a change of its values.
WIDER = {
    "TINYINT": "INT",
    "SMALLINT": "BIGINT",
    "MEDIUMINT": "BIGINT",
    "INT": "BIGINT",
    "VARCHAR(63) CHARACTER SET utf8mb4": "VARCHAR(300) CHARACTER SET utf8mb4",
    "VARCHAR(85) CHARACTER SET utf8mb3": "TEXT CHARACTER SET utf8mb3",
    "TINYBLOB": "BLOB",
}


def geometries(*names: str) -> Values:
    """Return shapes of some kinds, in two systems of coordinates."""

    def point(source: random.Random) -> str:
        return f"{source.uniform(-90, 90)!r} {source.randint(-90, 90)}"

    shapes: dict[str, Callable[[random.Random], str]] = {
        "POINT": lambda source: f"POINT({point(source)})",
        "LINESTRING": lambda source: f"LINESTRING({point(source)}, {point(source)}, 0 0.5)",
        "POLYGON": lambda _: "POLYGON((0 0, 0 5, 5 5, 5 0, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))",
        "MULTIPOINT": lambda source: f"MULTIPOINT({point(source)}, {point(source)})",
        "GEOMETRYCOLLECTION": lambda source: f"GEOMETRYCOLLECTION(POINT({point(source)}))",
    }

    def values(source: random.Random) -> list[Value]:
        found: list[Value] = []
        for name in names or tuple(shapes):
            texts = [shapes[name](source) for _ in range(5)]
            found += [Sql(f"ST_GeomFromText('{text}', {srid})") for text in texts for srid in SRIDS]
        return found

    return values


SRIDS = (0, 4326)


def vectors(function: str) -> Values:
    """Return vectors of three numbers, made by a function of the server."""
    numbers = ("0", "-0.0", "1.5", "-3.4e38", "1e-30", "3.14159274")
    return lambda source: [
        Sql(f"{function}('[{','.join(source.choices(numbers, k=3))}]')") for _ in range(10)
    ]


GEOMETRY_CASES: list[tuple[str, Values]] = [
    ("GEOMETRY", geometries()),
    ("POINT", geometries("POINT")),
    ("POLYGON", geometries("POLYGON")),
]
CHARSET_CASES: list[tuple[str, Values]] = [
    *((f"VARCHAR(60) CHARACTER SET {name}", make.texts(DEFINED, 60)) for name in CHARSETS),
    *((f"TEXT CHARACTER SET {name}", make.texts(DEFINED, 300)) for name in CHARSETS[::4]),
    *((f"CHAR(9) CHARACTER SET {name}", make.texts(DEFINED, 9)) for name in CHARSETS[1::4]),
    ("ENUM('x', 'ж', 'ї') CHARACTER SET koi8u", make.members(["x", "ж", "ї"])),
    ("SET('中', '文', 'z') CHARACTER SET gbk", make.subsets(["中", "文", "z"])),
]
COMPRESSED_CASES: list[tuple[str, Values]] = [
    ("VARCHAR(300) COMPRESSED CHARACTER SET utf8mb4", make.texts(make.UTF8MB4, 300)),
    ("TEXT COMPRESSED CHARACTER SET latin1", make.texts(make.LATIN1, 60_000)),
    ("TINYTEXT COMPRESSED CHARACTER SET latin1", make.texts(make.LATIN1, 200)),
    ("MEDIUMTEXT COMPRESSED CHARACTER SET utf8mb3", make.texts(make.UTF8MB3, 20_000)),
    ("VARBINARY(2000) COMPRESSED", make.binaries(2000)),
    ("BLOB COMPRESSED", make.binaries(60_000)),
    ("LONGBLOB COMPRESSED", make.binaries(70_000)),
]


def more_cases_of(server: AnyServer) -> list[tuple[str, Values]]:
    """Return column types of a server with more values than the edges of each."""
    cases = [*GEOMETRY_CASES, *CHARSET_CASES]
    if server.flavor == "mariadb":
        cases += [*COMPRESSED_CASES, ("VECTOR(3)", vectors("VEC_FromText"))]
    else:
        cases.append(("VECTOR(3)", vectors("STRING_TO_VECTOR")))
        cases.append(("VARCHAR(60) CHARACTER SET gb18030", make.texts(DEFINED, 60)))
    return [
        (spelled(sql_type, server), values) for sql_type, values in cases if knows(server, sql_type)
    ]


def column_kinds(configuration: Configuration, source: random.Random) -> dict[str, list[Value]]:
    """Return values for each column type of a server, by the type's SQL."""
    server = server_named(configuration.server)
    kinds: dict[str, list[Value]] = {}
    for sql_type, values in [*cases_of(server), *more_cases_of(server)]:
        if values in OPAQUE_DOCUMENTS and not configuration.has_opaque_documents:
            continue
        found = (in_words_of(server, sql_type, value) for value in values(source))
        kinds.setdefault(sql_type, []).extend(found)
    return kinds
