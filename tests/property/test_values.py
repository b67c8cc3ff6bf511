"""Values of each type come back as they were written."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.log_writer import DELETE_V1, DELETE_V2, WRITE_V1, WRITE_V2, Rows
from tests.property.reading import PROFILE, encoded, read_rows, write_log
from tests.property.strategies import COLUMNS_BY_TYPE, TypedColumn, normal_json


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
def test_values_come_back(type_name: str, engine: str, tmp_path: Path, data: Any) -> None:
    typed = data.draw(COLUMNS_BY_TYPE[type_name])
    values = data.draw(st.lists(st.none() | typed.values, min_size=1, max_size=12))
    rows_type = data.draw(st.sampled_from([WRITE_V1, WRITE_V2, DELETE_V1, DELETE_V2]))
    images = [encoded([typed], [value]) for value in values]
    path = write_log(tmp_path / "log.000001", [typed], [Rows(rows_type, images, [True])])
    found = read_rows(path, engine)
    assert [_read(typed, row["c0"]) for row in found] == [_expected(typed, v) for v in values]
    change = "insert" if rows_type in (WRITE_V1, WRITE_V2) else "delete"
    assert {row["_change_type"] for row in found} == {change}
