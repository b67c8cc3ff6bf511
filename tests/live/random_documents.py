"""JSON documents that only a server can make: of values of its types, very deep, many doubles."""

import random
import struct

from tests.live.random_updates import KEYS, TYPED_VALUES
from tests.live.random_values import Sql, Value

NUM_DOCUMENTS = 60
NUM_DOUBLES = 3000
MAX_DEPTH = 100  # of the server

# Column types, with a text that each can take: their values are opaque in a document, or not.
COLUMN_VALUES = (
    ("TINYBLOB", "tiny"),
    ("BLOB", "b" * 57),
    ("BLOB", "b" * 58),
    ("MEDIUMBLOB", "m" * 200),
    ("LONGBLOB", ""),
    ("BINARY(5)", "ab"),
    ("VARBINARY(300)", "v" * 127),
    ("VARBINARY(300)", "v" * 128),
    ("BIT(1)", "1"),
    ("BIT(12)", "7"),
    ("BIT(64)", "9"),
    ("YEAR", "2026"),
    ("DATE", "2026-02-28"),
    ("DATE", "1000-01-01"),
    ("DATETIME", "2026-02-28 01:02:03"),
    ("DATETIME(3)", "9999-12-31 23:59:59.999"),
    ("TIMESTAMP", "2026-02-28 01:02:03"),
    ("TIMESTAMP(6)", "1970-01-01 00:00:01.000001"),
    ("TIME", "-838:59:59"),
    ("TIME", "838:59:59"),
    ("TIME(2)", "-00:00:00.01"),
    ("TIME(6)", "100:00:00.000001"),
    ("FLOAT", "0.1"),
    ("FLOAT", "3.4e38"),
    ("DOUBLE", "0.1"),
    ("DECIMAL(65,30)", "-0.000000000000000000000000000001"),
    ("DECIMAL(65,0)", "9" * 65),
    ("DECIMAL(30,10)", "-12345678901234567890.0987654321"),
    ("DECIMAL(5,5)", "0.00001"),
    ("DECIMAL(10,0)", "0"),
    ("TINYINT UNSIGNED", "255"),
    ("BIGINT", "-9223372036854775808"),
    ("BIGINT UNSIGNED", "18446744073709551615"),
    ("ENUM('x','é')", "é"),
    ("SET('x','y')", "x,y"),
    ("CHAR(5) CHARACTER SET latin1", "äöü"),
)


def of_columns(_source: random.Random) -> list[Value]:
    """Return arrays of the values of columns of many types."""

    def array(sql_type: str, text: str) -> Sql:
        column = f"COLUMNS (c {sql_type} PATH '$')"
        table = f"JSON_TABLE(JSON_ARRAY('{text}', NULL, '{text}'), '$[*]' {column})"
        return Sql(f"(SELECT JSON_ARRAYAGG(c) FROM {table} AS t)")  # noqa: S608

    return [array(sql_type, text) for sql_type, text in COLUMN_VALUES]


def of_types(source: random.Random) -> list[Value]:
    """Return nested documents of values of the server's types."""

    def document(depth: int) -> str:
        if depth == 0 or source.random() < 0.3:
            return source.choice(TYPED_VALUES)
        elements = [document(depth - 1) for _ in range(source.randint(0, 6))]
        if source.random() < 0.5:
            return f"JSON_ARRAY({', '.join(elements)})"
        # A key that comes again takes the place of the first.
        keys = (f"CONVERT(X'{source.choice(KEYS).encode().hex()}' USING utf8mb4)" for _ in elements)
        pairs = (f"{key}, {element}" for key, element in zip(keys, elements, strict=True))
        return f"JSON_OBJECT({', '.join(pairs)})"

    return [Sql(f"JSON_ARRAY({document(4)})") for _ in range(NUM_DOCUMENTS)]


def of_doubles(source: random.Random) -> list[Value]:
    """Return doubles of any bits, short ones, and those next to powers of ten."""
    numbers = [struct.unpack("<d", source.randbytes(8))[0] for _ in range(NUM_DOUBLES)]
    numbers += [source.randrange(10**9) / 10 ** source.randrange(12) for _ in range(NUM_DOUBLES)]
    numbers += [float(f"1e{power}") for power in range(-323, 309)]
    numbers += [float(f"{digits}e{power}") for digits in (12345, 999) for power in range(-30, 30)]
    numbers += [float(1 << power) for power in range(64)]
    shown = [repr(number) for number in numbers if abs(number) < float("inf")]
    shown = [text if "." in text or "e" in text else f"{text}.0" for text in shown]
    return [f"[{', '.join(shown[i : i + 500])}]" for i in range(0, len(shown), 500)]


def deep(_source: random.Random) -> list[Value]:
    """Return documents as deep as the server takes them."""
    found: list[Value] = []
    for depth in (1, 2, MAX_DEPTH - 1, MAX_DEPTH):
        found.append("[" * depth + "]" * depth)
        found.append('{"k":' * (depth - 1) + "{}" + "}" * (depth - 1))
        found.append('[1,{"":' * (depth // 2) + "2" + ',"b":[]}]' * (depth // 2))
    return [text for text in found if text is not None and _depth(str(text)) <= MAX_DEPTH]


def _depth(text: str) -> int:
    """Return the most containers that are open at once; there are no brackets in the texts."""
    open_ones = most = 0
    for letter in text:
        open_ones += (letter in "[{") - (letter in "]}")
        most = max(most, open_ones)
    return most
