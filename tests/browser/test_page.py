"""The schema, compiled and run in a browser, reads the samples as Python and the servers do."""

import pytest

from samples.event_headers import EVENT_NAMES
from tests.browser.conftest import Views
from tests.browser.page_server import Report
from tests.inputs import SAMPLES, expected_tables

READABLE = [name for name, entry in SAMPLES.items() if not entry["encrypted"]]
# Rows that nobody can tell apart end in an error, behind which each language keeps what it likes.
WHOLE = [name for name in READABLE if not SAMPLES[name]["tool_fails"]]
# An insert that logs no column at all has no bytes, so that no node can stand for it.
ROWS_WITHOUT_BYTES = {"mysql-9.7-minimal-image": 1}
# Below an event. The Web IDE makes a record for each, opened or not, and takes its time for them.
MOST_NODES = 12
MOST_NODES_OF_A_CELL = 9
# Objects with more: many fields of their own, bits, how columns are worked out, parts of values.
WIDER = {"FormatDescriptionEvent": 19, "GtidEvent": 19, "MariadbGtidEvent": 17, "QueryEvent": 18}
WIDER |= {"EventFlags": 13, "SessionFlags": 14, "SqlModes": 37}
WIDER |= {"ColumnLayout": 30, "OptionalMetadataField": 16, "RowColumnLayout": 20}
WIDER |= {"Datetime2Value": 14, "JsonContainer": 13, "JsonItem": 17, "UtcTime": 14}
# `body`, `rows`, the row and its image are opened, from an event on.
LEVELS_TO_A_CELL = 4
MOST_OF_A_ROOT = 60  # of the root, and of the format description, which is read with the log


def named(counts_by_code: dict[str, int]) -> dict[str, int]:
    """Return counts by the manifest's names of the event types."""
    return {EVENT_NAMES[int(code)]: count for code, count in counts_by_code.items()}


def holds_rows(event_name: str) -> bool:
    """Return whether rows are in such an event, or events with rows."""
    return "PAYLOAD" in event_name or ("ROWS" in event_name and "QUERY" not in event_name)


def is_compressed(event_name: str) -> bool:
    """Return whether an event has what a schema alone cannot decompress."""
    return "PAYLOAD" in event_name or "COMPRESSED" in event_name


def test_browser_reports_on_each_sample(reports: dict[str, Report]) -> None:
    assert list(reports) == list(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_browser_fails_where_python_does(
    reports: dict[str, Report], views: Views, name: str
) -> None:
    assert bool(reports[name]["error"]) == bool(views(name).error), reports[name]["error"]


@pytest.mark.parametrize("name", READABLE)
def test_whole_file_is_read(reports: dict[str, Report], name: str) -> None:
    assert reports[name]["error"] is None
    assert reports[name]["lenTrailing"] == 0


@pytest.mark.parametrize("name", READABLE)
def test_no_node_fails_to_open(reports: dict[str, Report], name: str) -> None:
    if SAMPLES[name]["tool_fails"]:
        assert len(reports[name]["instanceErrors"]) == 1  # the same rows that stop the tool
    else:
        assert reports[name]["instanceErrors"] == []


@pytest.mark.parametrize("name", WHOLE)
def test_nodes_of_rows_and_columns_are_made_at_a_click(
    reports: dict[str, Report], name: str
) -> None:
    # The Web IDE takes its time for the nodes that it makes before, not for the bytes.
    early = {"Cell", "Column", "ColumnLayout", "Row", "RowColumn", "RowColumnLayout"}
    early |= {"StatusVar", "TableMapProbe"}
    assert early.isdisjoint(reports[name]["shown"]["counts"])


@pytest.mark.parametrize("name", READABLE)
def test_an_event_has_few_nodes(reports: dict[str, Report], name: str) -> None:
    report = reports[name]
    num_events = sum(report["eventTypes"].values())
    assert report["shown"]["counts"]["Event"] == num_events
    assert report["shown"]["numNodes"] <= MOST_NODES * num_events + MOST_OF_A_ROOT
    for kind, num_nodes in report["widest"].items():
        assert num_nodes <= WIDER.get(kind, MOST_NODES), kind


@pytest.mark.parametrize("name", WHOLE)
def test_a_cell_is_near_and_has_few_nodes(reports: dict[str, Report], name: str) -> None:
    if "Cell" in reports[name]["widest"]:
        assert reports[name]["widest"]["Cell"] <= MOST_NODES_OF_A_CELL
        assert reports[name]["depths"]["Cell"] == LEVELS_TO_A_CELL + 1


@pytest.mark.parametrize("name", READABLE)
def test_events_by_type_are_those_of_the_manifest(reports: dict[str, Report], name: str) -> None:
    assert named(reports[name]["eventTypes"]) == SAMPLES[name]["events"]


@pytest.mark.parametrize("name", WHOLE)
def test_rows_are_those_that_the_official_tool_prints(
    reports: dict[str, Report], name: str
) -> None:
    entry, report = SAMPLES[name], reports[name]
    num_printed = sum(sum(changes.values()) for changes in entry["row_changes"].values())
    num_nodes = report["counts"].get("Row", 0) + ROWS_WITHOUT_BYTES.get(name, 0)
    raw = set(named(report["rawTypes"])) | set(filter(is_compressed, entry["events"]))
    if any(map(holds_rows, raw)):
        assert num_nodes < num_printed
    else:
        assert num_nodes == num_printed


@pytest.mark.parametrize("name", WHOLE)
def test_nodes_of_each_type_are_as_many_as_in_python(
    reports: dict[str, Report], views: Views, name: str
) -> None:
    assert reports[name]["counts"] == views(name).counts


@pytest.mark.parametrize("name", WHOLE)
def test_labels_of_all_nodes_are_those_of_python(
    reports: dict[str, Report], views: Views, name: str
) -> None:
    expected, shown = views(name).labels, reports[name]["labels"]
    assert len(shown) == len(expected)
    differing = [
        (index, label, wanted)
        for index, (lines, wanted_lines) in enumerate(zip(shown, expected, strict=True))
        for label, wanted in zip(lines, wanted_lines, strict=True)
        if label != wanted
    ]
    assert not differing, f"{len(differing)} labels, the first in event {differing[0]}"


def test_cells_are_labelled_with_names_and_values_that_the_server_selects(
    reports: dict[str, Report],
) -> None:
    table = expected_tables(SAMPLES["mysql-9.7-shop"])["shop.customers"]
    names = [column["name"] for column in table["columns"]]
    selected = {
        f"Cell: {name} = {cell['text']}"
        for row in table["rows"]
        for name, cell in zip(names, row, strict=True)
        if name in ("customer_id", "born") and cell is not None
    }
    shown = {label for lines in reports["mysql-9.7-shop"]["labels"] for label in lines}
    assert len(selected) > len(table["rows"])
    assert not selected - shown
