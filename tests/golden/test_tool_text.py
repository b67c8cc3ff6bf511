"""The parser of the official tools' text, against the samples' texts and the server's tables."""

import collections
import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.truth.printed_cells import find_printed, is_replayable
from tests.truth.replayed_rows import replay
from tests.truth.tool_text import (
    POSITION_LINE,
    ChangeType,
    RowImage,
    decode_tool_string,
    parse_tool_events,
    parse_tool_text,
    split_comment,
)

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
MANIFEST: list[dict[str, Any]] = json.loads((SAMPLES / "manifest.json").read_text("utf-8"))
WHOLE = [entry for entry in MANIFEST if not entry["tool_fails"]]
CORPUS = Path(os.environ.get("BINLOG_CORPUS", ROOT.parent / "shared" / "corpus"))
MYSQL_HEADER_SIZE = 512  # before an encrypted log of MySQL; the tool counts from its end
HEADER_BEGIN = re.compile(rb"#\d{6} .{8} server id ")
# The tools' names of types that are not the manifest's in lower case.
TYPE_NAMES = {
    "FORMAT_DESCRIPTION": "Start",
    "PREVIOUS_GTIDS": "Previous-GTIDs",
    "ANONYMOUS_GTID": "Anonymous_GTID",
    "GTID": "GTID",
    "GTID_TAGGED": "GTID",
    "MARIADB_GTID": "GTID",
    "GTID_LIST": "Gtid list",
    "BINLOG_CHECKPOINT": "Binlog checkpoint",
    "TRANSACTION_PAYLOAD": "Transaction_Payload",
    "PARTIAL_UPDATE_ROWS": "Update_rows_partial",
}


def read_text(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def flavor_of(entry: dict[str, Any]) -> str:
    """Return the flavor of the tool that printed a sample's text."""
    return "mariadb" if entry["tool"].startswith("mariadb") else "mysql"


def golden_text(entry: dict[str, Any]) -> bytes:
    """Return the tool's text of a sample."""
    return read_text(ROOT / entry["golden"])


def images_of(entry: dict[str, Any]) -> list[RowImage]:
    """Return the row images of a sample's text."""
    return parse_tool_text(golden_text(entry), flavor_of(entry))


def tool_type_name(entry: dict[str, Any], name: str) -> str:
    """Return the tool's name of a type of the manifest."""
    if name == "XA_PREPARE":
        return "XA PREPARE" if flavor_of(entry) == "mysql" else "XID"
    name = name.removesuffix("_V1")
    if name.endswith("_ROWS_COMPRESSED"):
        name = name.removesuffix("_ROWS_COMPRESSED") + "_COMPRESSED_ROWS"
    return TYPE_NAMES.get(name, name.capitalize())


def by_name(entry: dict[str, Any]) -> str:
    """Return the name under which a sample's test runs."""
    name: str = entry["name"]
    return name


@pytest.mark.parametrize("entry", MANIFEST, ids=by_name)
def test_images_are_the_manifest_counts(entry: dict[str, Any]) -> None:
    images = images_of(entry)
    found = collections.Counter(
        (f"{image.database_name}.{image.table_name}", image.change_type) for image in images
    )
    cut = {f"{image.database_name}.{image.table_name}" for image in images if not image.is_complete}
    wanted: collections.Counter[tuple[str, ChangeType]] = collections.Counter()
    for table, changes in entry["row_changes"].items():
        wanted[table, ChangeType.INSERT] = changes["insert"]
        wanted[table, ChangeType.DELETE] = changes["delete"]
        wanted[table, ChangeType.UPDATE_PREIMAGE] = changes["update"]
        wanted[table, ChangeType.UPDATE_POSTIMAGE] = 0 if table in cut else changes["update"]
    assert +found == +wanted


@pytest.mark.parametrize("entry", MANIFEST, ids=by_name)
def test_only_geometry_is_cut_short(entry: dict[str, Any]) -> None:
    cut = {image.table_name for image in images_of(entry) if not image.is_complete}
    assert cut == ({"shapes"} if entry["name"] == "mysql-9.7-geometry-vector" else set())


@pytest.mark.parametrize("entry", [entry for entry in WHOLE if not entry["encrypted"]], ids=by_name)
def test_events_are_the_manifest_counts(entry: dict[str, Any]) -> None:
    events = [event for event in parse_tool_events(golden_text(entry)) if not event.in_payload]
    wanted: collections.Counter[str] = collections.Counter()
    for name, count in entry["events"].items():
        wanted[tool_type_name(entry, name)] += count
    assert collections.Counter(event.event_type_text for event in events) == wanted


@pytest.mark.parametrize("entry", WHOLE, ids=by_name)
def test_events_follow_each_other_to_the_end_of_the_log(entry: dict[str, Any]) -> None:
    events = [event for event in parse_tool_events(golden_text(entry)) if not event.in_payload]
    size = entry["size"]
    if entry["encrypted"] and entry["flavor"] == "mysql":
        size -= MYSQL_HEADER_SIZE
    ends = [event.start_pos for event in events[1:]] + [size]
    assert events[0].start_pos == 4
    for event, end in zip(events, ends, strict=True):
        assert event.start_pos < end
        assert event.end_log_pos in (0, end)


@pytest.mark.parametrize("entry", WHOLE, ids=by_name)
def test_every_gtid_event_has_its_text(entry: dict[str, Any]) -> None:
    for event in parse_tool_events(golden_text(entry)):
        is_gtid = event.event_type_text in ("GTID", "Anonymous_GTID")
        assert (event.gtid is not None) == is_gtid


@pytest.mark.parametrize("entry", MANIFEST, ids=by_name)
def test_columns_are_those_of_the_table(entry: dict[str, Any]) -> None:
    expected = json.loads((SAMPLES / entry["expected"]).read_text("utf-8"))
    for image in images_of(entry):
        table = expected.get(f"{image.database_name}.{image.table_name}")
        if table is None or entry["file"].startswith("evolution/"):
            continue  # a sequence, or a table of several shapes
        hidden = 2 if table_is_versioned(entry, image) else 0
        assert set(image.values) == set(image.types)
        assert set(image.values) <= set(range(1, len(table["columns"]) + hidden + 1))
        for number, printed in image.values.items():
            assert (printed == b"NULL") == image.types[number].endswith("is_null=1")


def table_is_versioned(entry: dict[str, Any], image: RowImage) -> bool:
    """Return whether MariaDB keeps the times of the table's rows in two columns more."""
    create = entry["tables"][f"{image.database_name}.{image.table_name}"]["create"]
    return "SYSTEM VERSIONING" in create


@pytest.mark.parametrize("entry", WHOLE, ids=by_name)
def test_changes_leave_the_rows_that_the_server_selects(entry: dict[str, Any]) -> None:
    expected = json.loads((SAMPLES / entry["expected"]).read_text("utf-8"))
    images: dict[str, list[RowImage]] = {}
    for image in images_of(entry):
        images.setdefault(f"{image.database_name}.{image.table_name}", []).append(image)
    for name, table in expected.items():
        logged = images.get(name, [])
        if name in entry["diverging"] or not is_replayable(logged):
            continue
        rows = replay(logged)
        assert len(rows) == len(table["rows"])
        for cells in table["rows"]:
            row = find_printed(rows, table["columns"], cells, logged)
            assert row is not None, f"{name}: no printed row is {cells}"
            rows.remove(row)


def test_rows_of_several_events_name_them_all() -> None:
    entry = next(entry for entry in MANIFEST if entry["name"] == "mysql-9.7-small-events")
    first = images_of(entry)[0]
    assert len(first.event_positions) > 1
    assert first.start_pos == first.event_positions[-1]
    assert list(first.event_positions) == sorted(first.event_positions)


def test_position_lines_may_stand_before_other_headers() -> None:
    text = (
        b"# at 100\n# at 150\n"
        b"#260301  8:00:00 server id 7  end_log_pos 150 CRC32 0x01234567 \tAnnotate_rows:\n"
        b"#Q> DELETE FROM t\n"
        b"#260301  8:00:00 server id 7  end_log_pos 0 \tTable_map: `d`.`t` mapped to number 18\n"
    )
    events = parse_tool_events(text)
    assert [(event.start_pos, event.event_type_text) for event in events] == [
        (100, "Annotate_rows"),
        (150, "Table_map"),
    ]
    assert (events[0].server_id, events[0].timestamp, events[1].end_log_pos) == (7, 1772352000, 0)


ROWS_EVENT = (
    b"# at 4\n"
    b"#260301 12:00:00 server id 1  end_log_pos 99 \tUpdate_rows: table id 18 flags: STMT_END_F\n"
)


def test_update_gives_two_images_and_absent_columns_stay_absent() -> None:
    text = ROWS_EVENT + (
        b"### UPDATE `d`.`odd ``name`\n### WHERE\n"
        b"###   @1=1 /* INT meta=0 nullable=0 is_null=0 */\n### SET\n"
        b"###   @3=NULL /* INT meta=0 nullable=1 is_null=1 */\n# at 99\n"
    )
    before, after = parse_tool_text(text, "mysql")
    assert before.change_type is ChangeType.UPDATE_PREIMAGE
    assert (before.table_name, before.values) == ("odd `name", {1: b"1"})
    assert after.change_type is ChangeType.UPDATE_POSTIMAGE
    assert (after.values, after.types[3]) == ({3: b"NULL"}, "INT meta=0 nullable=1 is_null=1")


def test_row_without_columns_is_an_image() -> None:
    text = ROWS_EVENT + b"### INSERT INTO `d`.`t` VALUES ()\n### INSERT INTO `d`.`t` VALUES ()\n"
    assert [image.values for image in parse_tool_text(text, "mysql")] == [{}, {}]


def test_difference_of_documents_takes_several_lines() -> None:
    text = ROWS_EVENT + (
        b"### UPDATE `d`.`t`\n### SET\n###   @1=JSON_INSERT(\n"
        b"###      JSON_REPLACE(@1, '$.x', 2),\n"
        b"###      '$.y', 3) /* JSON meta=4 nullable=1 is_null=0 */\n"
        b"###   @2=5 /* INT meta=0 nullable=1 is_null=0 */\n"
    )
    (image,) = parse_tool_text(text, "mysql")
    assert image.values[1].startswith(b"JSON_INSERT(\n")
    assert image.values[1].endswith(b"'$.y', 3)")
    assert image.values[2] == b"5"


def test_unknown_column_type_makes_an_image_incomplete() -> None:
    text = ROWS_EVENT + (
        b"### INSERT INTO `d`.`t`\n### SET\n###   @1=1 /* INT meta=0 nullable=0 is_null=0 */\n"
        b"###   @2=!! Don't know how to handle column type=255 meta=4 (0004)\n# at 99\n"
    )
    (image,) = parse_tool_text(text, "mysql")
    assert not image.is_complete
    assert image.values == {1: b"1"}


def test_text_that_looks_like_a_row_is_none() -> None:
    text = (
        b"# at 4\n#260301 12:00:00 server id 1  end_log_pos 99 \tRows_query\n"
        b"# INSERT INTO t VALUES ('\n# ### INSERT INTO `d`.`t`\n### INSERT INTO `d`.`t`\n### SET\n"
    )
    assert parse_tool_text(text, "mysql") == []


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b"0.1                  /* FLOAT meta=4 nullable=1 is_null=0 */", b"0.1"),
        (b"'  ' /* STRING(8) meta=65032 nullable=1 is_null=0 */", b"'  '"),
        (b"'a' /* b */' /* STRING(8) meta=65032 nullable=1 is_null=0 */", b"'a' /* b */'"),
        (b"-1 (255) /* TINYINT meta=0 nullable=1 is_null=0 */", b"-1 (255)"),
    ],
)
def test_comment_is_the_last_of_the_line(line: bytes, value: bytes) -> None:
    assert split_comment(line)[0] == value


@pytest.mark.parametrize(
    ("printed", "flavor", "value"),
    [
        (rb"'it\'s \\ \x00\x1f\n\t'", "mysql", b"it's \\ \x00\x1f\n\t"),
        (rb"'\\x00'", "mysql", rb"\x00"),
        (rb"'it's \ \x00\x1f\x0a'", "mariadb", b"it's \\ \x00\x1f\n"),
        (rb"'\n'", "mariadb", rb"\n"),
        (b"'\xff\xfe'", "mysql", b"\xff\xfe"),
    ],
)
def test_strings_are_unescaped_as_their_tool_escapes(
    printed: bytes, flavor: str, value: bytes
) -> None:
    assert decode_tool_string(printed, flavor) == value


def test_string_without_quotes_is_refused() -> None:
    with pytest.raises(ValueError, match="not a value in quotes"):
        decode_tool_string(b"NULL", "mysql")


def corpus_texts() -> list[Path]:
    """Return the tools' texts of the corpus, none without a corpus."""
    return sorted([*CORPUS.glob("*/*.txt"), *CORPUS.glob("*/*.txt.gz")])


@pytest.mark.skipif(not corpus_texts(), reason="no corpus: set BINLOG_CORPUS to its folder")
def test_corpus_texts_give_every_printed_row_and_event() -> None:
    for path in corpus_texts():
        text = read_text(path)
        flavor = "mariadb" if "mariadb" in path.name.rsplit("000", 1)[-1] else "mysql"
        lines = collections.Counter(line.split(b" `")[0] for line in text.split(b"\n"))
        # A text that ends early may have a position more, one of LOAD DATA in 4.1 a header more.
        num_headers = sum(bool(HEADER_BEGIN.match(line)) for line in text.split(b"\n"))
        num_positions = sum(bool(POSITION_LINE.fullmatch(line)) for line in text.split(b"\n"))
        images = parse_tool_text(text, flavor)
        found = collections.Counter(image.change_type for image in images)
        assert found[ChangeType.INSERT] == lines[b"### INSERT INTO"], path.name
        assert found[ChangeType.DELETE] == lines[b"### DELETE FROM"], path.name
        assert found[ChangeType.UPDATE_PREIMAGE] == lines[b"### UPDATE"], path.name
        assert len(parse_tool_events(text)) == min(num_headers, num_positions), path.name
