"""What is parsed once is not parsed again, and means the same wherever it is found."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import CorruptEventError, read_batches
from pyspark_adapter.ddl import sql_definitions
from pyspark_adapter.events import table_map as table_maps
from pyspark_adapter.events.table_map import TableMap, find_table_map
from pyspark_adapter.format.schema import EventParser, ParseCache, parse_format_description
from tests.inputs import SAMPLES, sample_path
from tests.support.log_writer import LoggedColumn, LogWriter
from tests.support.outcome import table_names

TIME = 11


def one_letter(text: str) -> str:
    return text[0]


def test_results_are_kept_up_to_a_size() -> None:
    cache: ParseCache[str, str] = ParseCache(most=10)
    parsed: list[str] = []

    def find(text: str) -> str:
        def parse() -> str:
            parsed.append(text)
            return text.upper()

        return cache.find(text, len(text), parse)

    assert [find(text) for text in ("four", "five5", "four", "five5")] == [
        *("FOUR", "FIVE5"),
        *("FOUR", "FIVE5"),
    ]
    assert parsed == ["four", "five5"]
    find("2!")  # one letter more than are kept
    find("four")
    assert parsed == ["four", "five5", "2!", "four"]
    find("eleven chars")
    find("eleven chars")
    find("2!")
    assert parsed[4:] == ["eleven chars", "eleven chars"]


def test_an_error_is_raised_each_time() -> None:
    cache: ParseCache[str, str] = ParseCache(most=10)
    for _ in range(2):
        with pytest.raises(IndexError):
            cache.find("", 0, lambda: one_letter(""))


def parser_and_event(*, is_mariadb: bool = False) -> tuple[EventParser, bytes]:
    """Return the parser of a log of a server, and a table map: a column TIME of the old form."""
    log = LogWriter(has_metadata=False)
    start = len(log.data)
    log.table_map(1, "t", [LoggedColumn("a", TIME)])
    description = parse_format_description(bytes(log.data[4:start]), verify=True)
    return EventParser(replace(description, is_mariadb=is_mariadb)), bytes(log.data[start:])


def test_the_same_bytes_of_another_server_are_another_table_map() -> None:
    digits = []
    for is_mariadb in (False, True, False):
        parser, event = parser_and_event(is_mariadb=is_mariadb)
        digits.append(find_table_map(event, parser).columns[0].metadata)
    assert digits == [0, -1, 0]


def test_damage_is_found_each_time() -> None:
    parser, event = parser_and_event()
    cut = event[:40] + event[-4:]
    cut = cut[:9] + len(cut).to_bytes(4, "little") + cut[13:]
    for _ in range(2):
        with pytest.raises(CorruptEventError):
            find_table_map(cut, parser)


def test_columns_are_parsed_once_for_tables_that_differ_in_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One table for each customer: 20,000 tables of one shape took 4 s to parse."""
    log = LogWriter()
    bounds = [len(log.data)]
    for number in range(4):
        log.table_map(number + 1, f"t{number}", [LoggedColumn("a", 3)])
        bounds.append(len(log.data))
    log.table_map(9, "t0", [LoggedColumn("b", 3)])  # another name of a column
    bounds.append(len(log.data))
    events = [bytes(log.data[begin:end]) for begin, end in pairwise(bounds)]
    parser = EventParser(parse_format_description(bytes(log.data[4 : bounds[0]]), verify=True))
    parsed: list[Any] = []
    from_event = TableMap.from_event

    def count(body: Any, *, is_mariadb: bool) -> TableMap:
        parsed.append(body)
        return from_event(body, is_mariadb=is_mariadb)

    monkeypatch.setattr(table_maps, "_KNOWN", ParseCache(1 << 20))
    monkeypatch.setattr(table_maps, "_SHAPES", ParseCache(1 << 20))
    monkeypatch.setattr(TableMap, "from_event", count)
    found = [find_table_map(event, parser) for event in events]
    assert [str(table_map.table) for table_map in found] == ["d.t0", "d.t1", "d.t2", "d.t3", "d.t0"]
    assert [table_map.columns[0].name for table_map in found] == [*"aaaa", "b"]
    assert len(parsed) == 2


@pytest.mark.parametrize("name", ["mysql-9.7-types", "mysql-9.7-types-minimal-metadata"])
def test_reads_of_a_log_parse_each_content_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A typed read looks at a log twice."""
    monkeypatch.setattr(table_maps, "_KNOWN", ParseCache(1 << 20))
    monkeypatch.setattr(table_maps, "_SHAPES", ParseCache(1 << 20))
    monkeypatch.setattr(sql_definitions, "_KNOWN", ParseCache(1 << 20))
    parsed: list[tuple[str, Any]] = []
    from_event, parse_tokens = TableMap.from_event, sql_definitions.parse_tokens

    def count_table_map(body: Any, *, is_mariadb: bool) -> TableMap:
        found = from_event(body, is_mariadb=is_mariadb)
        parsed.append(("table map", found))
        return found

    def count_statement(tokens: Any, database: str) -> Any:
        known = list(tokens)
        parsed.append(("statement", repr(known)))
        return parse_tokens(iter(known), database)

    monkeypatch.setattr(TableMap, "from_event", count_table_map)
    monkeypatch.setattr(sql_definitions, "parse_tokens", count_statement)
    for table in table_names(SAMPLES[name])[:3]:
        for _ in read_batches(Path(sample_path(name)), table=table):
            pass
    of_statements = {"statement"} if name.endswith("minimal-metadata") else set[str]()
    assert {kind for kind, _ in parsed} == {"table map"} | of_statements
    assert len(parsed) == len(set(parsed))
