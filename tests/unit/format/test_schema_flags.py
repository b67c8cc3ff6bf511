"""Each bit of the flags is at the position that the server's constant gives it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from kaitaistruct import KaitaiStream
from mysql_binlog import MysqlBinlog

# By type of the schema: its length in bytes, and the bits of some names.
BITS: dict[str, tuple[int, dict[str, int]]] = {
    "TableMapFlags": (
        2,
        {
            "is_bit_len_exact": 1 << 0,
            "is_referred_fk_db": 1 << 1,
            "has_generated_invisible_primary_key": 1 << 2,
            "has_triggers": 1 << 14,
        },
    ),
    "RowsFlags": (
        2,
        {
            "is_statement_end": 1 << 0,
            "is_no_foreign_key_checks": 1 << 1,
            "is_relaxed_unique_checks": 1 << 2,
            "has_complete_rows": 1 << 3,
            "is_sql_foreign_key": 1 << 4,
            "is_no_check_constraints": 1 << 7,
        },
    ),
    "SessionFlags": (
        4,
        {
            "is_auto_is_null": 1 << 14,
            "is_not_autocommit": 1 << 19,
            "is_explicit_timestamp": 1 << 24,
            "is_no_foreign_key_checks": 1 << 26,
            "is_relaxed_unique_checks": 1 << 27,
            "is_if_exists": 1 << 28,
            "is_insert_history": 1 << 30,
        },
    ),
    "SqlModes": (
        8,
        {
            "is_real_as_float": 1 << 0,
            "is_ansi_quotes": 1 << 2,
            "is_ansi": 1 << 18,
            "is_no_backslash_escapes": 1 << 20,
            "is_traditional": 1 << 27,
            "is_pad_char_to_full_length": 1 << 31,
            "mode_32": 1 << 32,
            "is_time_round_fractional": 1 << 34,
        },
    ),
}


def parse_bits(type_name: str, number: int) -> Any:
    """Return the flags of a type, read from their bytes."""
    data = number.to_bytes(BITS[type_name][0], "little")
    return getattr(MysqlBinlog, type_name)(KaitaiStream(BytesIO(data)))


def names_of(flags: Any) -> set[str]:
    """Return the names of the bits that are set; a field of several bits has none."""
    return {name for name, value in vars(flags).items() if value is True}


@pytest.mark.parametrize(
    ("type_name", "name", "bit"),
    [(type_name, *item) for type_name, (_, bits) in BITS.items() for item in bits.items()],
)
def test_a_bit_has_its_name(type_name: str, name: str, bit: int) -> None:
    assert names_of(parse_bits(type_name, bit)) == {name}


def test_default_modes_of_mysql_have_the_names_of_the_manual() -> None:
    modes = parse_bits("SqlModes", 0x45A00020)
    assert modes.value == 0x45A00020
    assert names_of(modes) == {
        "is_only_full_group_by",
        "is_strict_trans_tables",
        "is_no_zero_in_date",
        "is_no_zero_date",
        "is_error_for_division_by_zero",
        "is_no_engine_substitution",
    }


def test_default_modes_of_mariadb_have_the_names_of_the_manual() -> None:
    assert names_of(parse_bits("SqlModes", 0x54200000)) == {
        "is_strict_trans_tables",
        "is_error_for_division_by_zero",
        "is_no_auto_create_user",
        "is_no_engine_substitution",
    }
