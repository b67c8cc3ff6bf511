"""The report: its sums are those of the logs, and no name in a log becomes part of the page."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pyspark_adapter import list_tables
from pyspark_adapter.cli.main import main
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.operations.report import findings as report_findings
from pyspark_adapter.operations.report.findings import ReportFindings
from pyspark_adapter.options.binlog_options import BinlogOptions
from tests.inputs import sample_path
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import events_of

SHOP = sample_path("mysql-9.7-shop")
STATEMENTS = sample_path("mysql-9.7-statement")


class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.text += data + "\n"


def report(tmp_path: Path, *arguments: str, code: int = 0) -> Page:
    out = tmp_path / "report.html"
    assert main(["report", *arguments, "--out", str(out), "--force", "--quiet"]) == code
    return Page(out.read_text(encoding="utf-8"))


def findings_of(*paths: Path) -> ReportFindings:
    options = BinlogOptions()
    found = ReportFindings(find_log_files(list(paths), options), options)
    found.read()
    return found


def test_sums_are_those_of_the_tables() -> None:
    found = findings_of(SHOP, STATEMENTS)
    expected = {str(table.table): table for table in list_tables([SHOP, STATEMENTS])}
    sums = found.by_time.group_by("table").aggregate([("num_changes", "sum")]).to_pylist()
    assert {row["table"]: row["num_changes_sum"] for row in sums} == {
        name: table.num_changes for name, table in expected.items() if table.num_changes
    }
    assert sum(found.sizes.values()) == found.num_transactions
    assert sum(found.by_hour.values()) == found.num_bytes
    assert found.error is None
    assert {time.microsecond for time in found.by_time.column("time").to_pylist()} == {0}


def test_statements_have_the_times_of_their_transactions() -> None:
    found = findings_of(STATEMENTS)
    assert found.num_statements == len(found.statements) > 3
    kinds = {statement.text.split()[0]: statement.is_definition for statement in found.statements}
    assert kinds["CREATE"]
    assert not kinds["UPDATE"]
    assert found.first is not None
    assert found.last is not None
    for statement in found.statements:
        assert statement.commit_time is not None
        assert found.first <= statement.commit_time <= found.last


def test_time_is_added_up_in_larger_units_when_it_has_to(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = findings_of(SHOP)
    monkeypatch.setattr(report_findings, "_MAX_SUMS", 1)
    found = findings_of(SHOP)
    assert (whole.unit, found.unit) == ("second", "day")
    for column in ("num_changes", "num_bytes"):
        sums = [sum(one.by_time.column(column).to_pylist()) for one in (whole, found)]
        assert sums[0] == sums[1] > 0


def test_page_stands_alone(tmp_path: Path) -> None:
    page = report(tmp_path, str(SHOP), str(STATEMENTS))
    names = [name for name, _ in page.elements]
    assert names.count("svg") == 5
    assert "script" not in names
    assert "image" not in names
    for name, attributes in page.elements:
        for key, value in attributes.items():
            if key.partition(":")[0] != "xmlns" and name != "meta":
                assert "//" not in (value or ""), (name, key, value)
        if name == "use" or "href" in attributes:
            assert all((attributes[key] or "#")[0] == "#" for key in attributes if "href" in key)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for table in list_tables([SHOP, STATEMENTS]):
        assert (str(table.table) in page.text) == bool(table.num_changes)


def test_names_in_a_log_are_text_only(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\x1b[2J\n$x^2$\"'&amp;"
    writer = LogWriter()
    writer.begin()
    writer.table_map(1, evil, [LoggedColumn("a", 3)])
    writer.rows(1, Rows(WRITE_V2, [[bytes(4)]], [True]))
    writer.commit()
    writer.statement(f"CREATE TABLE `{evil}` (a INT)")
    log = tmp_path / "log.000001"
    log.write_bytes(writer.data)
    page = report(tmp_path, str(log), "--title", evil)
    assert "script" not in [name for name, _ in page.elements]
    shown = "<script>alert(1)</script>\\x1b[2J\\n$x^2$\"'&amp;"
    # Title and heading, legends and labels of three pictures, and rows of three tables.
    assert page.text.count(shown) >= 2
    assert page.text.count("d.<script>alert(1)</script>") >= 5
    assert "CREATE TABLE `<script>" in page.text


def test_filters_hold(tmp_path: Path) -> None:
    page = report(tmp_path, str(SHOP), "--table", "shop.orders")
    assert "shop.orders" in page.text
    assert "shop.customers" not in re.sub(r"Statements that.*", "", page.text, flags=re.DOTALL)


def test_a_damaged_log_gives_what_is_before_the_damage(tmp_path: Path) -> None:
    cut = tmp_path / "binlog.000001"
    cut.write_bytes(SHOP.read_bytes()[:20000])
    page = report(tmp_path, str(cut), code=1)
    assert "The read ended too early: binlog.000001@" in page.text
    warnings = [names for element, names in page.elements if names.get("class") == "warn"]
    assert len(warnings) == 1  # the error is not listed as a problem, too
    assert "shop.orders" in page.text


def test_gaps_are_flagged(tmp_path: Path) -> None:
    """As `check` names them, unless a filter leaves transactions out."""
    gtids = [
        event.start_pos for event in events_of(SHOP.read_bytes()) if event.type_name == "GTID_EVENT"
    ]
    data = SHOP.read_bytes()
    first, last = tmp_path / "binlog.000001", tmp_path / "binlog.000003"
    first.write_bytes(data)
    last.write_bytes(data[: gtids[6]] + data[gtids[7] :])
    page = report(tmp_path, str(first), str(last))
    assert "expected log 2 after binlog.000001: 1 missing" in page.text
    assert page.text.count("as the position of the next event") == 1
    page = report(tmp_path, str(first), str(last), "--table", "shop.orders")
    assert "are missing" not in page.text


def test_a_log_without_transactions(tmp_path: Path) -> None:
    log = tmp_path / "log.000001"
    log.write_bytes(LogWriter().data)
    assert "svg" not in [name for name, _ in report(tmp_path, str(log)).elements]


def test_names_in_any_script_give_no_warnings(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    """The browser has their letters, whatever fonts Matplotlib has."""
    log = LogWriter()
    log.begin()
    log.table_map(9, "表", [LoggedColumn("a", 3)])
    log.rows(9, Rows(WRITE_V2, [[b"\1\0\0\0"]], [True]))
    log.commit()
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    assert "d.表" in report(tmp_path, str(path)).text
    assert not [str(warning.message) for warning in recwarn]
