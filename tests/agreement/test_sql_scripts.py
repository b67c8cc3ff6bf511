"""The SQL of row changes has the values of the schema, and both writers of statements agree.

Python joins the statements of changes whose values the kernels leave: here they leave all.
"""

from __future__ import annotations

import math
import random
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyspark_adapter import BinlogError, redo_statements, undo_statements
from pyspark_adapter.charsets.charset import decode_text
from pyspark_adapter.events.table_map import Column
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.kernels.sql_layout import Literal, SqlValue
from pyspark_adapter.sql_text import script_writer
from pyspark_adapter.sql_text.column_forms import column_form
from pyspark_adapter.sql_text.kernel_rows import Table
from pyspark_adapter.sql_text.script import sql_rows
from tests.agreement.test_schema_rows import AMBIGUOUS
from tests.inputs import CORPUS, SAMPLES, UNREADABLE, corpus_entries, need_corpus, sample_path
from tests.oracle.cells import MEMBERS, Unknown
from tests.oracle.documents import Document
from tests.oracle.rows import images_of
from tests.property.strategies import COLUMNS_BY_TYPE
from tests.support import encoders
from tests.support.log_writer import (
    ABSENT,
    DELETE_V2,
    UPDATE_V2,
    WRITE_V2,
    LoggedColumn,
    LogWriter,
    Rows,
)
from tests.support.reading import PROFILE, encoded, named

FORMS: tuple[dict[str, Any], ...] = (
    {},
    {"rows_per_statement": 1, "transaction_rows": 1},
    {"rows_per_statement": 3, "transaction_rows": 4, "window_bytes": "1k", "batch_bytes": "1k"},
)
LONG, FLOAT, DOUBLE, JSON = 3, 4, 5, 245
LARGE = 500_000  # bytes of a log of which only undo is compared


def lines_of(function: Any, path: Path, **options: Any) -> tuple[list[str], str]:
    """Return the lines that a function gives, and the text of its error."""
    lines: list[str] = []
    try:
        lines.extend(function(path, **options))
    except BinlogError as error:
        return lines, f"{type(error).__name__}: {error}"
    return lines, ""


@contextmanager
def all_by_python() -> Iterator[None]:
    """Let the kernels leave each value."""
    made = Table.__init__

    def left(table: Table, *arguments: Any) -> None:
        made(table, *arguments)
        table.uses[:, :, SqlValue.KIND] = Literal.PYTHON

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "__init__", left)
        yield


def check_same(path: Path, **options: Any) -> int:
    """Check undo, redo and SQL of rows by both; return the number of lines."""
    count = 0
    is_large = path.stat().st_size > LARGE
    for function in (undo_statements,) if is_large else (undo_statements, redo_statements):
        kernels = lines_of(function, path, force=True, **options)
        with all_by_python():
            python = lines_of(function, path, force=True, **options)
        assert kernels == python, (function.__name__, options)
        count += len(kernels[0])
    if is_large:
        return count
    of_reader = {name: options[name] for name in ("window_bytes", "batch_bytes") if name in options}
    kernels = lines_of(sql_rows, path, **of_reader)
    with all_by_python():
        assert kernels == lines_of(sql_rows, path, **of_reader)
    return count


@pytest.mark.parametrize("form", FORMS, ids=["joined", "one by one", "in small windows"])
@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name: str, form: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_writer, "_PROGRESS_ROWS", 7)
    path = sample_path(name)
    if not form or path.stat().st_size < 100_000:
        check_same(path, **form)


@pytest.mark.parametrize("entry", corpus_entries(), ids=lambda entry: entry["file"])
def test_corpus(entry: dict[str, Any]) -> None:
    check_same(CORPUS / entry["file"])


def test_the_corpus_is_there() -> None:
    need_corpus()


LITERAL = re.compile(r"(?:_\w+ ?)?x?'(?:[^'\\]|\\.|'')*'|[^, ]+")
ESCAPED = re.compile(r"\\(.)|''")
LETTERS = {"n": "\n", "r": "\r", "t": "\t", None: "'"}


def is_value(literal: str, code: int, value: Any) -> bool:
    """Return whether a literal stores a value of the schema."""
    if value is Unknown.UNTOLD or value is None:
        return value is not None or literal == "NULL"
    if isinstance(value, float):
        form = "<f" if code == FLOAT else "<d"
        return struct.pack(form, float(literal)) == struct.pack(form, value)
    if literal[-1] != "'":  # of an ENUM or SET, the number
        return literal == str(value) or (code in MEMBERS and literal.isdigit())
    text = ESCAPED.sub(lambda m: LETTERS.get(m[1], m[1]), literal.partition("'")[2][:-1])
    if isinstance(value, dict):
        return text.endswith(value["wkb"].hex().upper())
    if isinstance(value, list):
        return bytes.fromhex(text) == struct.pack(f"<{len(value)}f", *value)
    head = literal.partition("'")[0]
    data = bytes.fromhex(text) if head.endswith("x") else text.encode()
    if isinstance(value, bytes) or not head.endswith("x"):
        return bool(data == (value if isinstance(value, bytes) else value.encode()))
    return bool(decode_text(data, head.strip("_ x")) == value)


def check_inserts(path: Path) -> int:
    """Check the values of INSERT statements by the schema; return how many there are."""
    lines, _ = lines_of(redo_statements, path, force=True, rows_per_statement=1)
    inserts = [line for line in lines if line.startswith("INSERT INTO ")]
    images = [image for image in images_of(path) if image.metadata["_change_type"] == "insert"]
    if len(inserts) != len(images):
        return 0
    count = 0
    for line, image in zip(inserts, images, strict=True):
        if "JSON_" in line or "CAST(" in line:
            continue
        literals = LITERAL.findall(line.partition(") VALUES (")[2].rstrip("\n").removesuffix(");"))
        if len(literals) == len(image.values):
            for cell in zip(literals, image.codes, image.values, strict=True):
                assert isinstance(cell[2], Document) or is_value(*cell), (line, cell)
            count += len(literals)
    return count


def test_inserts_have_the_values_of_the_schema() -> None:
    names = sorted(SAMPLES.keys() - UNREADABLE - AMBIGUOUS)
    assert sum(check_inserts(sample_path(name)) for name in names) > 20_000


def write_log(path: Path, columns: list[LoggedColumn], events: list[Rows], definition: str) -> Path:
    """Write a log of one table, in transactions of two rows events."""
    writer = LogWriter()
    writer.statement(definition)
    for first in range(0, len(events), 2):
        writer.begin()
        for event in events[first : first + 2]:
            writer.table_map(1, "t", columns)
            writer.rows(1, event)
        writer.commit()
    path.write_bytes(writer.data)
    return path


@PROFILE
@given(data=st.data())
def test_random_tables(tmp_path: Path, data: Any) -> None:
    """Of any columns and values, some of them damaged, with and without a key."""
    types = data.draw(st.lists(st.sampled_from(list(COLUMNS_BY_TYPE)), min_size=1, max_size=4))
    typed = [data.draw(COLUMNS_BY_TYPE[name]) for name in types]
    columns = [LoggedColumn("c0", LONG), *named(typed)]
    columns[1:] = [replace(c, name=f"c{k}") for k, c in enumerate(columns[1:], 1)]
    row = st.tuples(st.integers(0, 2**31 - 1), *(st.none() | t.values for t in typed))
    events = []
    for kind in data.draw(st.lists(st.sampled_from("iud"), min_size=1, max_size=5)):
        rows = data.draw(st.lists(row, min_size=1, max_size=4))
        images = [[struct.pack("<i", r[0]), *encoded(typed, r[1:])] for r in rows]
        if data.draw(st.integers(0, 9)) == 0:
            damage(images[0], data)
        some = st.tuples(*[st.booleans()] * len(columns)).map(list)
        masks = st.just([True] * len(columns)) | some
        before, after = data.draw(masks), data.draw(masks)
        if kind == "u":
            pairs = [(logged(i, before), logged(varied(i, data), after)) for i in images]
            events.append(Rows(UPDATE_V2, sum(pairs, ()), before, after))
        else:
            rows = [logged(image, before) for image in images]
            events.append(Rows(WRITE_V2 if kind == "i" else DELETE_V2, rows, before))
    names = ", ".join(f"{column.name} INT" for column in columns[1:])
    unique = data.draw(st.sampled_from(["NOT NULL UNIQUE", "NOT NULL", ""]))
    definition = f"CREATE TABLE t (c0 INT {unique}, {names})"
    path = write_log(tmp_path / "log.000001", columns, events, definition)
    check_same(path)
    check_same(path, rows_per_statement=2, transaction_rows=3)


def logged(image: list[bytes | None], present: list[bool]) -> list[bytes | None]:
    """Return an image with only some columns logged."""
    return [value if p else ABSENT for value, p in zip(image, present, strict=True)]


def varied(image: list[bytes | None], data: Any) -> list[bytes | None]:
    """Return an image in which some values are NULL."""
    return [image[0], *(None if data.draw(st.booleans()) else value for value in image[1:])]


def damage(image: list[bytes | None], data: Any) -> None:
    """Change the last byte of a value."""
    k = data.draw(st.integers(1, len(image) - 1))
    value = image[k]
    if value:
        image[k] = value[:-1] + bytes([value[-1] ^ data.draw(st.integers(1, 255))])


def test_numbers() -> None:
    """Floats and doubles of any bits, and of few digits, are read back as they were."""
    source = random.Random(5)  # noqa: S311 - has to be the same each time
    single, double = (
        column_form(Column(0, "c", Code(code), 0, True, False, None, None), "binary")
        for code in (FLOAT, DOUBLE)
    )
    for k in range(6000):
        bits, data = source.randbytes(4), source.randbytes(8)
        if k % 3:
            digits = source.randrange(10 ** source.randint(1, 9))
            number = digits * 10.0 ** source.randint(-20, 20)
            bits, data = struct.pack("<f", number), struct.pack("<d", number)
        if k % 7 == 0:  # next to a power of two
            bits = struct.pack("<I", max(source.randrange(255) << 23, 1) + source.randint(-1, 1))
        if all(map(math.isfinite, struct.unpack("<fd", bits + data))):
            text = single.store(bits)
            assert struct.pack("<f", float(text)) == bits
            assert len(text.strip("-").partition("e")[0].replace(".", "").strip("0")) <= 9
            number = struct.unpack("<d", data)[0]
            assert double.store(data).removesuffix("e0") == repr(number)


def test_doubles_of_documents(tmp_path: Path) -> None:
    """Those that some servers do not read from text are written as numbers of SQL by both."""
    source = random.Random(6)  # noqa: S311 - has to be the same each time
    bound = 2.0**53
    numbers = [0.0, -0.0, 0.1, 1e22, 1e23, 1e-22, 1e-23, 2.5e-21, bound - 1, bound, bound + 2]
    for _ in range(400):
        number = struct.unpack("<d", source.randbytes(8))[0]
        numbers += [number] if math.isfinite(number) else []
        places = source.randint(0, 25)
        numbers.append(source.randrange(10 ** source.randint(1, 17)) * 10.0**-places)
        numbers.append((9007199254740992 + source.randint(-20, 20)) * 10.0**-places)
    documents = [encoders.json_document(document) for n in numbers for document in (n, {"a": [n]})]
    images = [
        [encoders.integer(k, 4), struct.pack("<I", len(document)) + document]
        for k, document in enumerate(documents)
    ]
    columns = [LoggedColumn("c0", LONG), LoggedColumn("d", JSON, b"\4")]
    events = [Rows(kind, images, [True] * 2) for kind in (WRITE_V2, DELETE_V2)]
    definition = "CREATE TABLE t (c0 INT PRIMARY KEY, d JSON)"
    path = write_log(tmp_path / "log.000001", columns, events, definition)
    assert check_same(path, rows_per_statement=1) > 3 * len(numbers)
    lines = [line for line in redo_statements(path) if "1e+23" in line or "1e23" in line]
    assert any("CAST(1e+23 AS JSON)" in line for line in lines)


def log_of_inserts(folder: Path) -> Path:
    images = [[encoders.integer(k, 4)] for k in range(2000)]
    events = [Rows(WRITE_V2, images[k : k + 20], [True]) for k in range(0, 2000, 20)]
    definition = "CREATE TABLE t (c0 INT NOT NULL UNIQUE)"
    return write_log(folder / "log.000001", [LoggedColumn("c0", LONG)], events, definition)


def test_rows_of_a_statement_are_cut_where_windows_end(tmp_path: Path) -> None:
    """Statements do not depend on windows, nor on how many rows are written at a time."""
    path = log_of_inserts(tmp_path)
    whole = lines_of(undo_statements, path, rows_per_statement=30)
    for size in ("1k", "2k", "5k"):
        options = {"window_bytes": size, "batch_bytes": size, "rows_per_statement": 30}
        assert lines_of(undo_statements, path, **options) == whole
    deletes = [line for line in whole[0] if line.startswith("DELETE")]
    assert {line.count(" OR ") + 1 for line in deletes} == {30, 10}


def test_windows_may_hold_no_chosen_rows(tmp_path: Path) -> None:
    path = log_of_inserts(tmp_path)
    position = f"log.000001:{path.stat().st_size // 2}"
    for chosen in ({"starting_position": position}, {"ending_position": position}):
        assert check_same(path, window_bytes="1k", **chosen) > 50
        assert check_same(path, **chosen) > 50
    assert check_same(path, tables="d.other", window_bytes="1k")
