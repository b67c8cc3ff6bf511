"""The table of options in the documentation: its lines, defaults and allowed values."""

from typing import Any

import pytest

from pyspark_adapter import OptionError
from pyspark_adapter.options.binlog_options import OPTIONS, BinlogOptions, Option, describe_options
from tests.unit.options.test_options import DEFAULTS


@pytest.mark.parametrize(("name", "spark_name", "default"), DEFAULTS)
def test_table_of_options_has_one_line_for_each(name: str, spark_name: str, default: Any) -> None:
    start = f"| `{spark_name}` |"
    lines = [line for line in describe_options().splitlines() if line.startswith(start)]
    assert len(lines) == 1, name
    cells = [cell.strip() for cell in lines[0].strip("|").split("|")]
    printed = "" if default is None else f"`{default}`"
    if isinstance(default, bool):
        printed = printed.lower()
    assert cells[0] == f"`{spark_name}`"
    assert cells[2] == printed
    assert cells[1]
    assert cells[3].endswith(".")


def test_table_of_options_has_no_other_line() -> None:
    lines = describe_options().splitlines()
    assert len(lines) == 2 + len(DEFAULTS)
    assert {line.count("|") for line in lines} == {5}


def number_of(text: str) -> int:
    digits, unit = text.rstrip("kmg"), text[-1]
    return int(digits) << {"k": 10, "m": 20, "g": 30}.get(unit, 0)


# Options that take any text.
FREE = ("columns", "databases", "keys", "metadata_columns")


@pytest.mark.parametrize(
    "option", [one for one in OPTIONS if one.name not in FREE], ids=lambda one: one.name
)
def test_the_table_names_the_values_that_the_check_allows(option: Option) -> None:
    with pytest.raises(OptionError) as caught:
        BinlogOptions.from_python({option.name: b"\0"})
    allowed, values = caught.value.allowed, option.check.values
    if " | " in allowed and option.name not in ("default_charset", "starting_offsets"):
        assert values.split(", ") == allowed.split(" | ")
    elif allowed.startswith("an integer"):
        low, high = map(
            int, allowed.removeprefix("an integer from ").partition(",")[0].split(" to ")
        )
        first, _, last = values.partition(" to ")
        if last:
            assert (number_of(first), number_of(last)) in ((low, high), (low, high + 1))
        else:
            assert values == f"{low} and more"
    else:
        assert "|" not in values
