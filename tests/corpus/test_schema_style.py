"""The rules that the text of the schema follows; most are those of Kaitai's style guide."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.schema_types import read_schema
from tests.inputs import ROOT

SCHEMA = read_schema()
MAX_LINE = 100
KEYS_OF_META = [
    *("id", "title", "application", "file-extension", "xref", "license", "ks-version"),
    *("encoding", "endian", "bit-endian"),
]
KEYS_OF_TYPE = ["-webide-representation", "-orig-id", "doc", "doc-ref", "params", "seq"]
KEYS_OF_TYPE += ["instances"]
LAST_KEYS = ("doc", "doc-ref")
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# Lengths, counts and offsets begin with len_, num_ and ofs_.
WRONG_NAME = re.compile(r"(^|_)(length|lengths|count|pos|offset|size)$")
# As servers and SQL call them, or, as `max_length`, a length for some types of columns only.
SERVERS_NAMES = {
    *("query_auto_increment.offset", "event.end_log_pos", "column.max_length"),
    *("row_column.max_length", "column_layout.max_length", "row_column_layout.max_length"),
    "gtid_event.transaction_length",
    *(
        "format_description_event.post_header_lengths",
        "format_description_event.len_post_header_lengths",
        "sql_modes.is_pad_char_to_full_length",
    ),
}
# Fields whose names say all.
PLAIN_NAME = re.compile(
    r"(len|next)_\w+|\w+_end|reserved\d?|value|plain|raw|bytes|text|items|number|digits|name|flag_bits"
    r"|year|month|day|hour|minute|second|micros|date|time|date_part|time_part|low|middle|high|tail"
    r"|is_unsigned|is_utf8"
)
# Types of bytes alone, which no source describes.
PLAIN_TYPES = {"raw_bytes"}
# A line of a released source.
SOURCE = re.compile(
    r"https://github\.com/(mysql/mysql-server|MariaDB/server)/blob/((?:mysql|mariadb)-\d+\.\d+\.\d+)"
    r"/([\w./-]+)#L\d+"
)
# A line of the server's source between two releases: of this file, no release was at hand.
COMMIT = re.compile(r"https://github\.com/MariaDB/server/blob/[0-9a-f]{40}/[\w./-]+#L\d+")
TYPES_OF_COMMITS = {"query_character_set_collations", "query_character_set_collation"}
EVENTS_OF_MYSQL = "https://github.com/mysql/mysql-server/tree/mysql-8.4.6/libs/mysql/binlog/event"
# Layouts whose source nobody has read; the link is followed by words that say so.
TYPES_OF_MANUALS = {"partial_row_data_event"}
OF_MANUAL = re.compile(r"https://mariadb\.com/docs/\S+ the manual; .* was not read")
PARTS = re.compile(r"[a-z_0-9]+")


def fields() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each parameter, field and instance as `type.name`, with what is said of it."""
    for kind, stated in SCHEMA["types"].items():
        for field in stated.get("params", []) + stated.get("seq", []):
            yield f"{kind}.{field['id']}", field
        for name, field in stated.get("instances", {}).items():
            yield f"{kind}.{name}", {"id": name, **field}


def links_of(kind: dict[str, Any]) -> list[str]:
    """Return the sources of a type."""
    links = kind.get("doc-ref", [])
    return [links] if isinstance(links, str) else links


def test_lines_are_short() -> None:
    """Links and single names may be longer: a line could not be broken there."""
    text = (ROOT / "mysql_binlog.ksy").read_text(encoding="utf-8")
    long = [
        line
        for line in text.splitlines()
        if len(line) > MAX_LINE
        and " " in re.sub(r"^ *(- )?([:?+]|or|and)? ?", "", line)
        and not re.match(r" *(-webide-representation: |doc-ref: |- https:)", line)
    ]
    assert long == []


def test_keys_of_the_head_are_in_order() -> None:
    assert list(SCHEMA["meta"]) == KEYS_OF_META


@pytest.mark.parametrize("name", SCHEMA["types"])
def test_keys_of_types_are_in_order(name: str) -> None:
    keys = list(SCHEMA["types"][name])
    assert keys == [key for key in KEYS_OF_TYPE if key in keys]


def test_docs_of_fields_come_last_and_names_first() -> None:
    for name, field in fields():
        keys = list(field)
        assert keys[0] == "id", name
        docs = [key for key in keys if key in LAST_KEYS]
        assert keys[len(keys) - len(docs) :] == docs == [k for k in LAST_KEYS if k in docs], name
        if "-orig-id" in keys:
            assert keys.index("-orig-id") <= 2, name


def test_each_layout_names_its_source() -> None:
    kinds = SCHEMA["types"].items()
    assert {name for name, kind in kinds if "seq" in kind and "doc-ref" not in kind} == PLAIN_TYPES


def test_types_and_fields_are_explained() -> None:
    assert [name for name, kind in SCHEMA["types"].items() if not kind.get("doc")] == []
    unexplained = [name for name, field in fields() if not field.get("doc")]
    assert [it for it in unexplained if not PLAIN_NAME.fullmatch(it.partition(".")[2])] == []


def test_sources_name_release_and_line() -> None:
    sources = {
        name: [link for link in links_of(kind) if SOURCE.fullmatch(link)]
        for name, kind in SCHEMA["types"].items()
        if "seq" in kind and name not in PLAIN_TYPES
    }
    without = {name for name, found in sources.items() if not found}
    assert without == TYPES_OF_COMMITS | TYPES_OF_MANUALS
    for name in without:
        (link,) = links_of(SCHEMA["types"][name])
        assert (COMMIT if name in TYPES_OF_COMMITS else OF_MANUAL).fullmatch(link), name


def test_each_source_is_read_in_one_release() -> None:
    releases: dict[tuple[str, str], set[str]] = {}
    text = (ROOT / "mysql_binlog.ksy").read_text(encoding="utf-8")
    for server, release, path in re.findall(SOURCE, text):
        releases.setdefault((server, path), set()).add(release)
    assert {it for it, found in releases.items() if len(found) > 1} == set()
    text = re.sub(COMMIT, "", re.sub(SOURCE, "", text))
    assert re.findall(r"https://github\.com/\S+", text) == [EVENTS_OF_MYSQL]


def test_each_member_of_an_enum_is_explained() -> None:
    members = [
        (enum, number, member)
        for enum, stated in SCHEMA["enums"].items()
        for number, member in stated.items()
    ]
    assert [it for it in members if not isinstance(it[2], dict) or not it[2].get("doc")] == []


def test_names_are_in_lower_case() -> None:
    names = [name for name, _ in fields()] + [*SCHEMA["types"], *SCHEMA["enums"]]
    parts = itertools.chain.from_iterable(name.split(".") for name in names)
    assert [part for part in parts if not NAME.fullmatch(part)] == []


def test_lengths_counts_and_offsets_are_named_alike() -> None:
    wrong = {name for name, _ in fields() if WRONG_NAME.search(name.partition(".")[2])}
    assert wrong == SERVERS_NAMES


def test_what_is_a_size_a_count_or_a_position_is_named_so() -> None:
    prefixes = {"size": ("len_", "num_"), "repeat-expr": ("num_",), "pos": ("ofs_",)}
    for name, field in fields():
        for key, prefix in prefixes.items():
            said = str(field.get(key, ""))
            if PARTS.fullmatch(said) and not said.isdecimal():
                assert said.startswith(prefix), f"{name}: {key}: {said}"


def test_prefixes_belong_to_numbers() -> None:
    """Nothing else begins with len_, num_ or ofs_."""
    for name, field in fields():
        if name.partition(".")[2].startswith(("len_", "num_", "ofs_")):
            assert str(field.get("type", "")) not in ("str", "strz", "bool"), name
