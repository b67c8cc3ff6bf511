"""Columns with the values that they can hold, the bytes of these, and what a read gives."""

import json
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from tests.property.more_strategies import MORE_COLUMNS
from tests.support import encoders
from tests.support.log_writer import LoggedColumn
from tests.support.typed_column import Draw, TypedColumn

UTF8MB4, BINARY = 45, 63
MAX_TIME = timedelta(hours=838, minutes=59, seconds=59)
MICROSECOND = timedelta(microseconds=1)


def _cut(micros: int, fsp: int) -> int:
    """Return microseconds with no more digits of a fraction than the column has."""
    step = int(10 ** (6 - fsp))
    return micros // step * step


_INTEGER_CODES = {1: 1, 2: 2, 3: 9, 4: 3, 8: 8}  # width to type code


@st.composite
def _integers(draw: Draw) -> TypedColumn:
    width, is_unsigned = draw(st.sampled_from(sorted(_INTEGER_CODES))), draw(st.booleans())
    low, high = (0, (1 << 8 * width) - 1) if is_unsigned else (-(1 << 8 * width - 1), 0)
    high = high if is_unsigned else (1 << 8 * width - 1) - 1
    values = st.sampled_from([low, high, 0]) | st.integers(low, high)
    column = LoggedColumn("v", _INTEGER_CODES[width], is_unsigned=is_unsigned)
    return TypedColumn(column, values, lambda value: encoders.integer(value, width))


@st.composite
def _decimals(draw: Draw) -> TypedColumn:
    precision = draw(st.integers(1, 65))
    scale = draw(st.integers(max(0, precision - 65), min(38, precision)))
    unit = Decimal(1).scaleb(-scale)
    most = 10**precision - 1
    numbers = st.sampled_from([0, 1, -1, most, -most]) | st.integers(-most, most)

    def value_of(number: int) -> Decimal:
        digits = tuple(map(int, str(abs(number))))
        return Decimal((int(number < 0), digits, -scale))

    column = LoggedColumn("v", 246, bytes([precision, scale]))
    assert unit > 0
    return TypedColumn(
        column,
        numbers.map(value_of),
        lambda value: encoders.decimal(value, precision, scale),
        # Arrow ends at 38 digits; longer ones are text.
        (lambda value: f"{value:f}") if precision > 38 else lambda value: value,
    )


@st.composite
def _datetimes(draw: Draw) -> TypedColumn:
    fsp = draw(st.integers(0, 6))
    moments = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999))
    values = moments.map(lambda moment: moment.replace(microsecond=_cut(moment.microsecond, fsp)))
    column = LoggedColumn("v", 18, bytes([fsp]))
    return TypedColumn(column, values, lambda value: encoders.datetime2(value, fsp))


@st.composite
def _timestamps(draw: Draw) -> TypedColumn:
    """Seconds and microseconds; a read gives microseconds since 1970-01-01 UTC."""
    fsp = draw(st.integers(0, 6))
    seconds = st.sampled_from([1, 2**31 - 1, 2**31, 2**32 - 1]) | st.integers(1, 2**32 - 1)
    micros = st.integers(0, 999_999).map(lambda number: _cut(number, fsp))
    return TypedColumn(
        LoggedColumn("v", 17, bytes([fsp])),
        st.tuples(seconds, micros),
        lambda value: encoders.timestamp2(value[0], value[1], fsp),
        lambda value: value[0] * 1_000_000 + value[1],
    )


@st.composite
def _times(draw: Draw) -> TypedColumn:
    fsp = draw(st.integers(0, 6))
    most = MAX_TIME // MICROSECOND
    whole = st.sampled_from([0, 1, 999_999, 1_000_000, most]) | st.integers(0, most)
    micros = st.tuples(whole, st.sampled_from([1, -1])).map(lambda p: p[1] * _cut(p[0], fsp))
    values = micros.map(lambda number: number * MICROSECOND)
    column = LoggedColumn("v", 19, bytes([fsp]))
    return TypedColumn(column, values, lambda value: encoders.time2(value, fsp))


@st.composite
def _texts(draw: Draw) -> TypedColumn:
    """CHAR, VARCHAR and TEXT, or their binary kin, with lengths of each width."""
    width, is_binary = draw(st.integers(1, 4)), draw(st.booleans())
    most = 255 if width == 1 else 1020
    long_metadata = {1: b"\xff\x00", 2: b"\xfc\x03"}
    if width <= 2 and draw(st.booleans()):
        column = LoggedColumn("v", 15, long_metadata[width])
    elif width <= 2 and not is_binary:
        # CHAR: two bits of a length over 255 stand, inverted, in the type byte.
        column = LoggedColumn("v", 254, {1: b"\xfe\xfc", 2: b"\xce\xfc"}[width])
    else:
        column = LoggedColumn("v", 252, bytes([width]))
    column = LoggedColumn("v", column.type_code, column.metadata, False, UTF8MB4)
    values: st.SearchStrategy[Any] = st.text(
        st.characters(exclude_categories=["Cs"]), max_size=most // 4
    )
    if is_binary:
        column = LoggedColumn("v", column.type_code, column.metadata, False, BINARY)
        values = st.binary(max_size=most)
        return TypedColumn(column, values, lambda value: encoders.prefixed(value, width))
    return TypedColumn(column, values, lambda value: encoders.prefixed(value.encode(), width))


@st.composite
def _bits(draw: Draw) -> TypedColumn:
    count = draw(st.integers(1, 64))
    column = LoggedColumn("v", 16, bytes([count % 8, count // 8]))
    values = st.sampled_from([0, (1 << count) - 1]) | st.integers(0, (1 << count) - 1)
    return TypedColumn(column, values, lambda value: value.to_bytes((count + 7) // 8, "big"))


_NAMES = st.lists(st.text("abcé€", min_size=1, max_size=4), min_size=1, max_size=64, unique=True)


@st.composite
def _enums(draw: Draw) -> TypedColumn:
    members = tuple(draw(_NAMES))
    width = draw(st.sampled_from([1, 2]))
    column = LoggedColumn("v", 254, bytes([247, width]), False, UTF8MB4, members)
    return TypedColumn(
        column,
        st.integers(0, len(members)),
        lambda value: encoders.integer(value, width),
        lambda value: ("", *members)[value],
    )


@st.composite
def _sets(draw: Draw) -> TypedColumn:
    members = tuple(draw(_NAMES))
    width = next(w for w in (1, 2, 3, 4, 8) if 8 * w >= len(members))
    column = LoggedColumn("v", 254, bytes([248, width]), False, UTF8MB4, members)
    return TypedColumn(
        column,
        st.integers(0, (1 << len(members)) - 1),
        lambda value: encoders.integer(value, width),
        lambda value: ",".join(m for i, m in enumerate(members) if value >> i & 1),
    )


_JSON_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=150)
)
JSON_VALUES = st.recursive(
    _JSON_LEAVES,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text('aé"\\', max_size=3), inner, max_size=5)
    ),
    max_leaves=12,
)


def document(*, large: bool = False) -> TypedColumn:
    """Return a JSON column; with `large` all containers have four-byte offsets."""
    return TypedColumn(
        LoggedColumn("v", 245, b"\x04"),
        JSON_VALUES,
        lambda value: encoders.prefixed(encoders.json_document(value, large=large), 4),
        normal_json,
    )


def normal_json(value: Any) -> str:
    """Return a document as text that is the same for equal documents; 1 and 1.0 are not equal."""
    return json.dumps(value, sort_keys=True)


_YEARS = TypedColumn(
    LoggedColumn("v", 13, is_unsigned=True),
    st.just(0) | st.integers(1901, 2155),
    lambda value: bytes([value - 1900 if value else 0]),
)
_DATES = TypedColumn(LoggedColumn("v", 10), st.dates(date(1, 1, 1)), encoders.day)
_DOUBLES = TypedColumn(
    LoggedColumn("v", 5, b"\x08"), st.floats(allow_nan=False, allow_infinity=False), encoders.double
)
_FLOATS = TypedColumn(
    LoggedColumn("v", 4, b"\x04"),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    encoders.single,
)

COLUMNS_BY_TYPE: dict[str, st.SearchStrategy[TypedColumn]] = {
    "integer": _integers(),
    "decimal": _decimals(),
    "datetime": _datetimes(),
    "timestamp": _timestamps(),
    "time": _times(),
    "text": _texts(),
    "bit": _bits(),
    "enum": _enums(),
    "set": _sets(),
    "json": st.booleans().map(lambda large: document(large=large)),
    "year": st.just(_YEARS),
    "date": st.just(_DATES),
    "double": st.just(_DOUBLES),
    "float": st.just(_FLOATS),
}
COLUMNS_BY_TYPE |= MORE_COLUMNS
ANY_COLUMN = st.sampled_from(sorted(COLUMNS_BY_TYPE)).flatmap(lambda name: COLUMNS_BY_TYPE[name])
