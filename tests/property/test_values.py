"""Values of each type come back as they were written."""

import json
import random
import struct
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.strategies import COLUMNS_BY_TYPE, document, normal_json
from tests.support.log_writer import DELETE_V1, DELETE_V2, WRITE_V1, WRITE_V2, Rows
from tests.support.reading import PROFILE, encoded, read_rows, write_log
from tests.support.typed_column import TypedColumn


def _expected(typed: TypedColumn, value: Any) -> Any:
    return None if value is None else typed.read(value)


def _read(typed: TypedColumn, value: Any) -> Any:
    """Return a value as it was read; of a document a text that does not depend on spaces."""
    if typed.column.type_code == 245 and value is not None:
        return normal_json(json.loads(value))
    return value


@pytest.mark.parametrize("type_name", COLUMNS_BY_TYPE)
@PROFILE
@given(data=st.data())
def test_values_come_back(type_name: str, tmp_path: Path, data: Any) -> None:
    typed = data.draw(COLUMNS_BY_TYPE[type_name])
    values = data.draw(st.lists(st.none() | typed.values, min_size=1, max_size=12))
    rows_type = data.draw(st.sampled_from([WRITE_V1, WRITE_V2, DELETE_V1, DELETE_V2]))
    images = [encoded([typed], [value]) for value in values]
    path = write_log(tmp_path / "log.000001", [typed], [Rows(rows_type, images, [True])])
    found = read_rows(path)
    assert [_read(typed, row["c0"]) for row in found] == [_expected(typed, v) for v in values]
    change = "insert" if rows_type in (WRITE_V1, WRITE_V2) else "delete"
    assert {row["_change_type"] for row in found} == {change}


def _random_doubles(count: int) -> list[float]:
    """Return doubles of any bits, and of few decimal digits, and those next to them."""
    rng = random.Random(311)  # noqa: S311 - has to be the same each time
    numbers = [0.0, -0.0, 1e9, 999_999_999.999999, 1e-6, 1e-7, 0.1 + 0.2, 2**53 + 2.0]
    while len(numbers) < count:
        (bits,) = struct.unpack("<d", rng.randbytes(8))
        short = rng.randint(-(10 ** rng.randint(1, 17)), 10 ** rng.randint(1, 17))
        near = short / 10 ** rng.randint(0, 20)
        step = struct.unpack("<q", struct.pack("<d", near))[0] + rng.choice([-1, 1])
        (beside,) = struct.unpack("<d", struct.pack("<q", step))
        numbers += [n for n in (bits, near, beside) if abs(n) <= 1.7976931348623157e308]
    return numbers


def test_doubles_in_documents_are_shortest(tmp_path: Path) -> None:
    numbers = _random_doubles(30_000)
    column = document()
    documents = [numbers[k : k + 100] for k in range(0, len(numbers), 100)]
    images = [encoded([column], [values]) for values in documents]
    path = write_log(tmp_path / "log.000001", [column], [Rows(WRITE_V2, images, [True])])
    for row, values in zip(read_rows(path), documents, strict=True):
        texts = row["c0"][1:-1].split(", ")
        assert [Decimal(text) for text in texts] == [Decimal(repr(number)) for number in values]
