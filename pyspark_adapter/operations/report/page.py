"""The page of a report: one file of HTML without scripts, which loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from html import escape
from typing import TYPE_CHECKING, Any, Final

import pyarrow.compute as pc

from pyspark_adapter.errors import one_line
from pyspark_adapter.operations.report.pictures import (
    COLOURS,
    draw_hours,
    draw_over_time,
    draw_shares,
    draw_sizes,
)
from pyspark_adapter.sources.progress import format_bytes

if TYPE_CHECKING:
    from pyspark_adapter.operations.report.findings import ReportFindings

# Tables with a colour of their own; the others are one.
_NUM_TABLES: Final = len(COLOURS) - 1
_NUM_SHARES: Final = 20
_MAX_PROBLEMS: Final = 20
_OTHERS: Final = "all other tables"
_WIDTHS: Final = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
# Bars of a picture; more are drawn together.
_MAX_BARS: Final = 240

# No script runs and nothing is loaded, whatever the names in a log contain.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE: Final = """
:root { color-scheme: light dark; --line: #d0d7de; --dim: #57606a; --warn: #b54708; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --dim: #9198a1; --warn: #f0b72f; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 2rem auto; padding: 0 1rem;
  background: Canvas; color: CanvasText; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
figure { margin: 0; } figcaption, .dim { color: var(--dim); }
svg { width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 3px 8px; text-align: left;
  vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.warn { color: var(--warn); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; }
dt { color: var(--dim); font-size: 13px; } dd { margin: 0; font-size: 1.25rem; }
"""


def write_page(findings: ReportFindings, title: str) -> Iterator[str]:
    """Yield the parts of the page."""
    name = escape(one_line(title))
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f"<title>{name}</title>\n"
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
    yield '<meta name="viewport" content="width=device-width">\n'
    yield f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    yield from _summary(findings)
    if findings.first is not None:
        yield from _pictures(findings)
        yield from _largest(findings)
    yield from _statements(findings)
    yield "</body>\n</html>\n"


def _summary(findings: ReportFindings) -> Iterator[str]:
    logs = findings.log_files
    by_time = findings.by_time
    facts = {
        "logs": f"{len(logs):,}",
        "size": format_bytes(sum(log.num_bytes for log in logs)),
        "transactions": f"{findings.num_transactions:,}",
        "row changes": f"{pc.sum(by_time.column('num_changes')).as_py() or 0:,}",
        "tables": f"{pc.count_distinct(by_time.column('table')).as_py():,}",
        "other statements": f"{findings.num_statements:,}",
    }
    yield "<dl>"
    for term, fact in facts.items():
        yield f"<div><dt>{term}</dt><dd>{fact}</dd></div>"
    yield "</dl>\n"
    if findings.first is not None and findings.last is not None:
        yield f'<p class="dim">{_time(findings.first)} to {_time(findings.last)}, UTC</p>\n'
    if findings.error is not None:
        yield f'<p class="warn">The read ended too early: {escape(str(findings.error))}</p>\n'
    for problem in findings.problems[:_MAX_PROBLEMS]:
        yield f'<p class="warn">{escape(one_line(problem))}</p>\n'
    if len(findings.problems) > _MAX_PROBLEMS:
        yield f'<p class="warn">{len(findings.problems) - _MAX_PROBLEMS:,} more: see check.</p>\n'


def _pictures(findings: ReportFindings) -> Iterator[str]:
    table = findings.by_time
    totals = table.group_by("table").aggregate([("num_bytes", "sum")])
    totals = totals.sort_by([("num_bytes_sum", "descending"), ("table", "ascending")])
    names = totals.column("table").to_pylist()
    shares = dict(zip(names, totals.column("num_bytes_sum").to_pylist(), strict=True))
    shown = names[:_NUM_TABLES]
    marks = [mark.commit_time for mark in findings.statements if mark.commit_time is not None]
    if names:
        for column, caption in (
            ("num_changes", "Row changes over time. Dashed lines: statements, listed below."),
            ("num_bytes", "Bytes of rows over time, uncompressed."),
        ):
            times, values, width = _bars(table, column, shown, findings.unit)
            drawn = draw_over_time(times, values, marks, width, are_bytes=column == "num_bytes")
            yield from _figure(drawn, "Changes" if column == "num_changes" else "Bytes", caption)
        most = dict(list(shares.items())[:_NUM_SHARES])
        if len(shares) > _NUM_SHARES:
            most[_OTHERS] = sum(shares.values()) - sum(most.values())
        yield from _figure(draw_shares(most), "Tables", "Bytes of rows by table, uncompressed.")
    yield from _figure(
        draw_sizes(findings.sizes),
        "Sizes of transactions",
        "Transactions by their bytes in the logs; each bar reaches to twice its size.",
    )
    yield from _figure(
        draw_hours(findings.by_hour), "Hours", "Bytes of transactions by weekday and hour, UTC."
    )


def _bars(
    table: Any, column: str, shown: Sequence[str], unit: str
) -> tuple[list[datetime], dict[str, list[float]], timedelta]:
    """Return the times of bars, their heights by table, and their width."""
    first = pc.min(table.column("time")).as_py()
    width = _WIDTHS[unit]
    width *= (pc.max(table.column("time")).as_py() - first) // width // _MAX_BARS + 1
    heights: dict[int, dict[str, float]] = {}
    rows = zip(*(table.column(k).to_pylist() for k in ("time", "table", column)), strict=True)
    known = set(shown)
    for time, name, value in rows:
        bar = (time - first) // width
        heights.setdefault(bar, {})
        label = name if name in known else _OTHERS
        heights[bar][label] = heights[bar].get(label, 0) + value
    bars = sorted(heights)
    names = [*shown, _OTHERS] if any(_OTHERS in bar for bar in heights.values()) else list(shown)
    values = {name: [heights[bar].get(name, 0.0) for bar in bars] for name in names}
    return [first + bar * width for bar in bars], values, width


def _figure(svg: str, title: str, caption: str) -> Iterator[str]:
    # Each picture has ids of its own, or one would use the shapes of another.
    prefix = "".join(c for c in title.lower() if c.isalpha()) + "-"
    for mark in ('id="', "url(#", 'href="#'):
        svg = svg.replace(mark, mark + prefix)
    labelled = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(caption)}" ', 1)
    yield f"<h2>{title}</h2>\n<figure>{labelled}"
    yield f"<figcaption>{escape(caption)}</figcaption></figure>\n"


def _largest(findings: ReportFindings) -> Iterator[str]:
    measures = {"num_bytes": "bytes", "num_rows": "rows", "duration": "seconds"}
    for column, name in measures.items():
        rows = [row for row in findings.largest[column].to_pylist() if row[column]]
        if not rows:
            continue
        yield f"<h2>Transactions with the most {name}</h2>\n"
        yield from _table(
            ["commit time", "position", "GTID", "thread", "-bytes", "-rows", "-seconds", "tables"],
            (
                [
                    _time(row["commit_timestamp"]),
                    f"{row['log_file']}:{row['start_pos']}",
                    row["gtid"] or "",
                    "" if row["thread_id"] is None else str(row["thread_id"]),
                    *(f"{row[k]:,}" if row[k] is not None else "" for k in measures),
                    ", ".join(changes["table"] for changes in row["tables"]),
                ]
                for row in rows
            ),
        )


def _statements(findings: ReportFindings) -> Iterator[str]:
    statements = findings.statements
    if not statements:
        return
    yield "<h2>Statements that are no row changes</h2>\n"
    if any(not statement.is_definition for statement in statements):
        yield '<p class="warn">! marks those that changed rows without logging them.</p>\n'
    yield from _table(
        ["commit time", "position", "", "statement"],
        (
            [
                "" if statement.commit_time is None else _time(statement.commit_time),
                statement.position,
                "" if statement.is_definition else "!",
                statement.text,
            ]
            for statement in statements
        ),
    )
    if findings.num_statements > len(statements):
        yield f"<p>The first {len(statements):,} of {findings.num_statements:,}.</p>\n"


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table; titles of columns of numbers begin with a dash."""
    kinds = [' class="number"' if title.startswith("-") else "" for title in titles]
    yield '<div class="scroll"><table><tr>'
    for kind, title in zip(kinds, titles, strict=True):
        yield f"<th{kind}>{title.lstrip('-')}</th>"
    yield "</tr>\n"
    for row in rows:
        cells = (
            f"<td{kind}>{escape(one_line(cell))}</td>"
            for kind, cell in zip(kinds, row, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</table></div>\n"


def _time(time: datetime) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
