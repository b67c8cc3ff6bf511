"""Values of all types, and documents, as SQL literals."""

from datetime import datetime
from decimal import Decimal

import pytest

from pyspark_adapter.charsets.charset import CHARSETS
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.sql_text.column_forms import ColumnForm, column_form
from pyspark_adapter.sql_text.literals import json_literal
from pyspark_adapter.sql_text.refusals import CannotWriteError
from tests.support import encoders

BINARY, LATIN1, UTF8MB4, UCS2, SJIS = 63, 8, 255, 35, 13


def form_of(
    code: Code,
    metadata: int = 0,
    *,
    is_unsigned: bool | None = False,
    collation: int | None = None,
    default_charset: str = "binary",
) -> ColumnForm:
    column = Column(0, "c", code, metadata, True, is_unsigned, collation, None)
    return column_form(column, default_charset)


# The servers take these: see `test_changes_are_undone_and_made_again` of tests/replay.
@pytest.mark.parametrize(
    ("form", "data", "literal", "condition"),
    [
        (form_of(Code.long), b"\xff\xff\xff\xff", "-1", "`c` <=> -1"),
        (form_of(Code.long, is_unsigned=True), b"\xff" * 4, "4294967295", "`c` <=> 4294967295"),
        (form_of(Code.longlong, is_unsigned=True), b"\xff" * 8, str(2**64 - 1), None),
        (form_of(Code.tiny, is_unsigned=None), b"\x7f", "127", None),
        (form_of(Code.float), encoders.single(0.1), "0.1", "`c` <=> 0.10000000149011612e0"),
        (form_of(Code.float), encoders.single(-0.0), "-0.0e0", "`c` <=> -0.0e0"),
        (form_of(Code.float), b"\xff\xff\x7f\x7f", "3.4028234663852886e+38", None),
        (form_of(Code.float), encoders.single(16777216), "16777216", None),
        (form_of(Code.double), encoders.double(0.1), "0.1e0", "`c` <=> 0.1e0"),
        (form_of(Code.double), encoders.double(5e-324), "5e-324", None),
        (
            form_of(Code.newdecimal, 65 | 30 << 8),
            encoders.decimal(Decimal("-1." + "0" * 29 + "1"), 65, 30),
            "-1." + "0" * 29 + "1",
            None,
        ),
        (form_of(Code.bit, 1 << 8 | 5), b"\x1f\xff", "8191", None),
        (form_of(Code.bit, 8 << 8), b"\xff" * 8, str(2**64 - 1), None),
        (form_of(Code.year), b"\0", "0", None),
        (form_of(Code.year), b"\x7e", "2026", None),
        (
            form_of(Code.datetime2, 3),
            encoders.datetime2(datetime(2026, 1, 2, 3, 4, 5, 6000), 3),
            "'2026-01-02 03:04:05.006'",
            "`c` <=> '2026-01-02 03:04:05.006'",
        ),
        (form_of(Code.enum, 1), b"\2", "2", "`c` <=> 2"),
        (form_of(Code.set, 8), b"\xff" * 8, str(2**64 - 1), f"(`c` | 0) <=> {2**64 - 1}"),
        (form_of(Code.set, 4), b"\xff" * 4, str(2**32 - 1), f"`c` <=> {2**32 - 1}"),
        (
            form_of(Code.geometry, 4),
            b"\xe6\x10\0\0\1\1\0\0\0" + bytes(16),
            "x'E6100000" + "0101000000" + "00" * 16 + "'",
            None,
        ),
        (form_of(Code.vector, 4), b"\0\0\x80?", "x'0000803F'", "HEX(`c`) <=> '0000803F'"),
        (form_of(Code.varchar, 9, collation=UTF8MB4), "né".encode(), "'né'", "`c` <=> _binary'né'"),
        (form_of(Code.varchar, 9, collation=LATIN1), b"n\xe9", "'né'", "`c` <=> x'6EE9'"),
        (form_of(Code.varchar, 9, collation=UTF8MB4), b"\xff", "_utf8mb4 x'FF'", "`c` <=> x'FF'"),
        (form_of(Code.varchar, 9, collation=UCS2), b"\0a", "_ucs2 x'0061'", None),
        (form_of(Code.varchar, 9, collation=SJIS), b"\x82\xa0", "_sjis x'82A0'", None),
        (form_of(Code.varchar, 9, collation=SJIS), b"plain", "'plain'", "`c` <=> _binary'plain'"),
        (form_of(Code.varchar, 9, collation=SJIS), b"\\", "_sjis x'5C'", None),
        (form_of(Code.varchar, 9), b"abc", "_binary'abc'", "`c` <=> _binary'abc'"),
        (form_of(Code.varchar, 9, default_charset="utf8mb4"), b"abc", "'abc'", None),
        (form_of(Code.string, 4, collation=BINARY), b"\1", "x'01000000'", "`c` <=> x'01000000'"),
        (form_of(Code.blob, 1, collation=BINARY), b"", "x''", "`c` <=> _binary''"),
        (form_of(Code.varchar, 9, collation=UTF8MB4), b"it's\n\\", r"'it''s\n\\'", None),
        (form_of(Code.varchar, 9, collation=UTF8MB4), b"\x1b[2J", "_utf8mb4 x'1B5B324A'", None),
        (form_of(Code.json, 4), b"\4\1", "'true'", "CAST(`c` AS CHAR) <=> 'true'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_literals(form: ColumnForm, data: bytes, literal: str, condition: str | None) -> None:
    assert form.store(data) == literal
    if condition is not None:
        assert form.find(data) == condition
    assert form.find(None) == "`c` IS NULL"


def test_every_character_set_has_literals() -> None:
    for charset in set(CHARSETS) - {"binary"}:
        form = form_of(Code.varchar, 9, default_charset=charset)
        assert form.store(b"abcd") in ("'abcd'", f"_{charset} x'61626364'"), charset


def test_a_sign_that_is_not_known_is_no_guess() -> None:
    with pytest.raises(CannotWriteError, match="whether an integer is signed"):
        form_of(Code.tiny, is_unsigned=None).store(b"\x80")


@pytest.mark.parametrize(
    ("document", "literal"),
    [
        ({"a": [1, "b'", None, 1.5]}, """'{"a": [1, "b''", null, 1.5]}'"""),
        ("", """'""'"""),
        ([0.1, -0.0, 123456.789, 1e22, -2.5e-21], "'[0.1, -0.0, 123456.789, 1e22, -2.5e-21]'"),
    ],
)
def test_documents_are_text(document: object, literal: str) -> None:
    assert json_literal(encoders.json_document(document)) == literal


def test_doubles_that_mysql_8_reads_inexactly_are_numbers_of_sql() -> None:
    """MySQL 5.7 to 8.0 take 1.0000000000000001e-307 in the text of a document for 1e-307."""
    document = {"a": [1.0000000000000001e-307, 0.1]}
    expected = "JSON_OBJECT('a', JSON_ARRAY(1.0000000000000001e-307, CAST('0.1' AS JSON)))"
    assert json_literal(encoders.json_document(document)) == expected
    single = encoders.json_document(-0.012345678912345679)
    assert json_literal(single) == "CAST(-0.012345678912345679e0 AS JSON)"


def test_values_that_json_text_does_not_have() -> None:
    decimal = b"\2\1" + encoders.decimal(Decimal("1.5"), 2, 1)
    opaque = b"\x0f\xf6" + bytes([len(decimal)]) + decimal
    assert json_literal(opaque) == "CAST(CAST(1.5 AS DECIMAL(2,1)) AS JSON)"
    assert json_literal(b"\x0f\x0f\2ab") == "CAST(x'6162' AS JSON)"
    with pytest.raises(CannotWriteError, match="bytes of type 252"):
        json_literal(b"\x0f\xfc\2ab")
