"""Values for columns: the edges of each type, and random ones between them.

All come from one seeded source, so that a failing case fails again.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

NUM_RANDOM = 20


@dataclass(frozen=True)
class Sql:
    """A value as an SQL expression."""

    expression: str


Value = int | str | bytes | Sql | None
Values = Callable[[random.Random], list[Value]]


def source_of(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - to be the same each time is the purpose


def integers(low: int, high: int) -> Values:
    """Return the bounds, what lies next to them and to zero, and numbers of every length."""

    def values(source: random.Random) -> list[Value]:
        edges = {low, low + 1, -1, 0, 1, high // 2, high - 1, high}
        edges |= {source.randrange(1 << source.randint(1, high.bit_length())) for _ in range(20)}
        edges |= {source.randint(low, high) for _ in range(NUM_RANDOM)}
        return [number for number in sorted(edges) if low <= number <= high]

    return values


def signed(width: int) -> Values:
    """Return integers of some bytes."""
    return integers(-(1 << 8 * width - 1), (1 << 8 * width - 1) - 1)


def unsigned(width: int) -> Values:
    """Return integers of some bytes, without a sign."""
    return integers(0, (1 << 8 * width) - 1)


def bits(count: int) -> Values:
    """Return integers of some bits, without a sign."""
    return integers(0, (1 << count) - 1)


def decimals(precision: int, scale: int) -> Values:
    """Return decimals with few and with all digits, on both sides of the point."""

    def text(digits: int, sign: str) -> str:
        shown = str(digits).rjust(scale + 1, "0")
        return f"{sign}{shown[:-scale]}.{shown[-scale:]}" if scale else f"{sign}{shown}"

    def values(source: random.Random) -> list[Value]:
        most = 10**precision - 1
        numbers = [0, 1, most, most // 2, 10 ** (precision - 1), 10**scale % (most + 1)]
        numbers += [source.randrange(10 ** source.randint(1, precision)) for _ in range(NUM_RANDOM)]
        return [text(number, sign) for number in numbers for sign in ("", "-")]

    return values


def floats(greatest: str, smallest: str, digits: int) -> Values:
    """Return floating numbers of all magnitudes as text."""

    def values(source: random.Random) -> list[Value]:
        last = int(greatest.split("e")[1]) - 1
        edges: list[Value] = ["0", "-0e0", "1", "-1", "0.1", "3.5"]
        edges += [sign + number for number in (greatest, smallest) for sign in ("", "-")]
        for _ in range(NUM_RANDOM):
            mantissa = source.uniform(-9.9, 9.9)
            edges.append(f"{mantissa:.{digits}f}e{source.randint(-last, last)}")
        return edges

    return values


def dates(*, first: datetime, last: datetime, fsp: int | None = None) -> Values:
    """Return days, or moments with some digits of a fraction."""

    def text(moment: datetime) -> str:
        if fsp is None:
            return f"{moment.date()}"
        shown = moment.isoformat(" ", "microseconds")
        return shown[: 20 + fsp] if fsp else shown[:19]

    def values(source: random.Random) -> list[Value]:
        span = int((last - first).total_seconds())
        moments = [first, last, datetime(1970, 1, 2), datetime(2000, 2, 29, 12, 30, 0, 100_000)]
        moments += [
            first + timedelta(seconds=source.randrange(span), microseconds=source.randrange(10**6))
            for _ in range(NUM_RANDOM)
        ]
        return [text(moment) for moment in moments]

    return values


def zero_dates(suffix: str = "") -> Values:
    days = ("0000-00-00", "2026-00-00", "2026-05-00", "0000-00-31", "0000-01-01", "2026-02-30")
    return lambda _source: [day + suffix for day in days]


def times(fsp: int) -> Values:
    """Return times with some digits of a fraction, on both sides of zero."""

    def text(micros: int, sign: str) -> str:
        seconds, fraction = divmod(micros, 10**6)
        shown = f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return f"{shown}.{fraction:06}"[: len(shown) + 1 + fsp] if fsp else shown

    def values(source: random.Random) -> list[Value]:
        most = (838 * 3600 + 59 * 60 + 59) * 10**6
        numbers = [0, 10 ** (6 - fsp), 10**6, most, 500_000, 59_999_999]
        numbers += [source.randrange(most) for _ in range(NUM_RANDOM)]
        numbers += [source.randrange(2 * 10**6) for _ in range(NUM_RANDOM)]
        return [text(number, sign) for number in numbers for sign in ("", "-")]

    return values


ASCII = "".join(map(chr, range(0x20, 0x7F))) + "\0\t\n\r\\\"'"
LATIN1 = ASCII + "äöüßÉÿ€Œ™\x81\x9d¡"
UTF8MB3 = LATIN1 + "Ωжשक中日本語\ufffd\uffff"
UTF8MB4 = UTF8MB3 + "😀𝄞\U0010ffff"


def texts(letters: str, longest: int) -> Values:
    """Return texts of all lengths up to the longest, in characters."""

    def values(source: random.Random) -> list[Value]:
        lengths = {0, 1, longest, max(0, longest - 1)} | {n for n in (255, 256) if n <= longest}
        edges: list[Value] = ["", "a", " lead", '"quoted"']
        edges = [edge for edge in edges if len(str(edge)) <= longest]
        edges += [letters[-1] * length for length in sorted(lengths)]
        for _ in range(NUM_RANDOM):
            length = source.randint(0, min(longest, 60))
            edges.append("".join(source.choices(letters, k=length)))
        return edges

    return values


def binaries(longest: int, *, shortest: int = 0) -> Values:
    """Return byte strings of all lengths up to the longest, also with zeros at the end."""

    def values(source: random.Random) -> list[Value]:
        lengths = {shortest, 1, longest, longest // 2}
        edges: list[Value] = [b"\0" * longest, b"\xff" * longest, b" "]
        edges += [source.randbytes(length) for length in sorted(lengths)]
        edges += [source.randbytes(source.randint(shortest, longest // 2)) + b"\0"]
        for _ in range(NUM_RANDOM):
            edges.append(source.randbytes(source.randint(shortest, min(longest, 60))))
        return edges

    return values


def members(names: list[str]) -> Values:
    """Return each of few members, or the edges of many and some between them."""

    def values(source: random.Random) -> list[Value]:
        return [names[0], names[-1], *source.choices(names, k=NUM_RANDOM)]

    return values


def subsets(names: list[str]) -> Values:
    """Return no member, each alone at the edges, all, and random choices."""

    def values(source: random.Random) -> list[Value]:
        chosen = [[], names[:1], names[-1:], names]
        chosen += [[n for n in names if source.random() < 0.5] for _ in range(NUM_RANDOM)]
        return [",".join(subset) for subset in chosen]

    return values


def documents(source: random.Random) -> list[Value]:
    """Return JSON documents: all scalars at their edges, nested and long ones."""
    numbers = [0, -1, 32767, 32768, -32768, -32769, 65536, 2**31 - 1, 2**31, -(2**31) - 1]
    numbers += [2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64 - 1]
    floating = [0.0, -0.0, 0.1, 1.0, 1e16, 1e15, 1.5e300, -1e-300, 123456.789, 5e-324, 2.0**70]
    plain: list[object] = [
        None,
        True,
        False,
        "",
        "a",
        UTF8MB4,
        "x" * 127,
        "x" * 128,
        "y" * 20_000,
        [],
        {},
    ]
    found: list[object] = [*numbers, *floating, *plain]
    found += [numbers, floating, {"": 1, "b": [], "aa": {}, "ä": None, "Ω" * 100: "q"}]
    found += [[["deep", [[[{"a": [1, 2, {"b": None}]}]]]]]]
    found += [{f"key{i:05}": "v" * 10 for i in range(4000)}, list(range(40_000))]
    found += [_document(source, 4) for _ in range(3 * NUM_RANDOM)]
    return [json.dumps(document, ensure_ascii=source.random() < 0.5) for document in found]


def _document(source: random.Random, depth: int) -> object:
    kind = source.randrange(8 if depth else 5)
    if kind == 0:
        return source.choice([None, True, False])
    if kind == 1:
        return source.randint(-(1 << source.randint(1, 62)), 1 << source.randint(1, 62))
    if kind == 2:
        return source.uniform(-1, 1) * 10.0 ** source.randint(-30, 30)
    if kind in (3, 4):
        return "".join(source.choices(UTF8MB4, k=source.randint(0, 30)))
    if kind in (5, 6):
        keys = ["".join(source.choices(UTF8MB3[1:], k=source.randint(1, 9))) for _ in range(5)]
        return {key: _document(source, depth - 1) for key in keys}
    return [_document(source, depth - 1) for _ in range(source.randint(0, 6))]


def opaque_documents(_source: random.Random) -> list[Value]:
    """Return JSON values of types that JSON text does not have."""
    expressions = [
        "CAST(1.50 AS JSON)",
        "CAST(-99999999999999999999999999999999999.000000000000000000000000000001 AS JSON)",
        "CAST(CAST(-0.5 AS DECIMAL(65,30)) AS JSON)",
        "CAST(DATE'2026-02-28' AS JSON)",
        "CAST(TIMESTAMP'2026-02-28 23:59:59.123456' AS JSON)",
        "CAST(TIMESTAMP'9999-12-31 00:00:00' AS JSON)",
        "CAST(TIME'-838:59:59' AS JSON)",
        "CAST(TIME'00:00:00.5' AS JSON)",
        "JSON_ARRAY(X'00FF10', CAST('abc' AS BINARY), REPEAT(X'61', 300))",
        "JSON_OBJECT('d', 0.1, 'e', 15e-1, 't', NOW(6), 'b', b'101', 'y', CAST(2026 AS YEAR))",
    ]
    return [Sql(expression) for expression in expressions]


def shapes(source: random.Random) -> list[Value]:
    """Return geometries of several kinds, with and without a spatial reference system."""
    texts = ["POINT(0 0)", "LINESTRING(0 0, 1 1, 2 0)", "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0))"]
    texts += ["MULTIPOINT(0 0, 1 -1)", "GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(0 0, 1 1))"]
    texts += [f"POINT({source.uniform(-90, 90)} {source.uniform(-90, 90)})" for _ in range(20)]
    return [Sql(f"ST_GeomFromText('{text}', {srid})") for text in texts for srid in (0, 4326)]


def vectors(source: random.Random) -> list[Value]:
    """Return vectors of one element and more, with the edges of a float."""
    lists = [[0.0], [1, -2.5, 3], [3.4028234e38, -1.5e-38, 1.1754944e-38]]
    lists += [[source.gauss(0, 1) for _ in range(n)] for n in (1, 2, 3) for _ in range(5)]
    return [Sql(f"STRING_TO_VECTOR('{numbers}')") for numbers in lists]


def repeated(values: Values, count: int) -> Values:
    """Return texts as they are, and many times over, so that compression pays."""

    def both(source: random.Random) -> list[Value]:
        found = values(source)
        return found + [value * count for value in found if isinstance(value, str | bytes)]

    return both
