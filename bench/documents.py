"""Workloads with one JSON column: documents of 200 to 2,000 bytes, each with one kind of value."""

from collections import Counter
from collections.abc import Iterable

from bench import values
from bench.workloads import Workload

_NUM_DIGITS = 128  # of `h`


def _at(place: int, len_digits: int) -> int:
    """Return the offset in `h` of the digits for a value of a document."""
    return 1 + place * 5 % (_NUM_DIGITS - len_digits)


def _object(members: Iterable[tuple[str, str]]) -> str:
    return f"JSON_OBJECT({', '.join(f'{name!r}, {value}' for name, value in members)})"


def _array(elements: Iterable[str]) -> str:
    return f"JSON_ARRAY({', '.join(elements)})"


def _phrase(place: int, fewest: int, most: int) -> str:
    return values.phrase(_at(place, 2 * most), fewest, most)


def _integer(place: int) -> str:
    """Return integers: a third each of up to two, five and nine digits."""
    limit = (99, 32_767, 100_000_000)[place % 3]
    return values.signed(_at(place, 7), limit)


def _coordinate(place: int) -> str:
    return f"{values.number(_at(place, 4), 4)} % 2000"


def _measure(place: int) -> str:
    """Return doubles: every third has two decimal places, the others up to 17 digits."""
    if place % 3 == 0:
        return f"(CAST({values.number(_at(place, 5), 5)} AS DOUBLE) / 100)"
    return values.real(_at(place, 7))


class Documents(Workload):
    """INSERT ... SELECT of 500 documents a statement, each with a key."""

    share = 0.5
    num_rows_per_statement = 500
    document: str

    def prepare(self) -> None:
        """Create the row numbers of one statement."""
        self._create_row_numbers(self.num_rows_per_statement)

    def write_slice(self, slice_index: int) -> Counter[str]:
        """Insert the rows of one statement."""
        first = 1 + slice_index * self.num_rows_per_statement
        return Counter(insert=self._insert_rows(["id", self.document], first))


def _ddl(name: str) -> tuple[str, ...]:
    return (f"CREATE TABLE {name} (id int NOT NULL PRIMARY KEY, doc json NOT NULL)",)


class StringDocuments(Documents):
    """Objects of strings: keys of five to twelve letters, some strings long."""

    name = "strings"
    number = 5
    ddl = _ddl(name)
    document = _object(
        [
            ("title", _phrase(0, 2, 5)),
            ("author", _phrase(3, 1, 2)),
            ("language", values.word(30)),
            ("summary", f"REPEAT({_phrase(7, 6, 12)}, 1 + {values.number(50, 1)} % 4)"),
            ("publisher", _phrase(12, 2, 3)),
            ("category", values.member(60, ("fiction", "science", "travel", "history"))),
            ("description", f"REPEAT({_phrase(16, 4, 12)}, 1 + {values.number(70, 1)} % 8)"),
            ("isbn", "SUBSTR(h, 80, 13)"),
            ("keywords", _array(values.word(90 + 2 * k) for k in range(5))),
        ]
    )


class IntegerDocuments(Documents):
    """Objects of integers of one to nine digits."""

    name = "integers"
    number = 6
    ddl = _ddl(name)
    document = _object(
        (f"{word}_{suffix}", _integer(3 * k + i))
        for k, word in enumerate(("visits", "clicks", "sales", "returns", "stock", "errors"))
        for i, suffix in enumerate(("day", "week", "month", "year", "all", "max"))
    )


class ArrayDocuments(Documents):
    """Arrays of arrays of arrays of small integers, like polygons."""

    name = "arrays"
    number = 7
    ddl = _ddl(name)
    document = _array(
        _array(
            _array(_coordinate(20 * ring + 2 * point + axis) for axis in range(2))
            for point in range(10)
        )
        for ring in range(4)
    )


class DoubleDocuments(Documents):
    """Objects with a list of floating-point numbers."""

    name = "doubles"
    number = 8
    ddl = _ddl(name)
    document = _object([("sensor", values.word(1)), ("readings", _array(map(_measure, range(48))))])


DOCUMENT_WORKLOADS: tuple[type[Documents], ...] = (
    StringDocuments,
    IntegerDocuments,
    ArrayDocuments,
    DoubleDocuments,
)
