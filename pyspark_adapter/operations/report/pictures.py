"""The pictures of a report, as SVG to put into a page.

They have no colours of their own for text and lines: the page sets `color`, and with it a light or
a dark theme. Matplotlib draws them, since its SVG needs no script and stays small; the libraries
that draw in the browser would add their script to each page, one to five megabytes.
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pyspark_adapter.errors import UnsupportedError, one_line
from pyspark_adapter.sources.progress import format_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The palette of Okabe and Ito: colour-blind people can distinguish these, on light and dark pages.
COLOURS: Final = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999",
)  # fmt: skip
# Drawn in this colour, and replaced by that of the page's text.
_INK: Final = "#010203"
_STYLE: Final[Any] = {
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "text.color": _INK,
    "text.parse_math": False,
    "xtick.color": _INK,
    "ytick.color": _INK,
}
_WIDTH: Final = 10.0
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MAX_LABEL: Final = 40


def import_matplotlib() -> None:
    """Check that the library that draws is installed; raises UnsupportedError if it is not."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise UnsupportedError(
            "reports need the package matplotlib", advice="pip install 'mysql-binlog-spark[report]'"
        ) from error


def draw_over_time(
    times: Sequence[datetime],
    values: Mapping[str, Sequence[float]],
    marks: Sequence[datetime],
    width: timedelta,
    *,
    are_bytes: bool,
) -> str:
    """Return bars by time, those of the tables on top of each other."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    with _figure(2.6) as (figure, axes):
        at: Any = times
        breadth: Any = width  # matplotlib's types name numbers only
        below = [0.0] * len(times)
        for colour, (table, heights) in zip(COLOURS, values.items(), strict=False):
            axes.bar(at, heights, breadth, below, align="edge", color=colour, label=_label(table))
            below = [a + b for a, b in zip(below, heights, strict=True)]
        lines: Sequence[Any] = marks
        for mark in lines:
            axes.axvline(mark, color=_INK, linewidth=0.6, linestyle="--", alpha=0.6)
        locator = AutoDateLocator()  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        dates = ConciseDateFormatter(locator)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_formatter(dates)
        _count_on(axes.yaxis, are_bytes=are_bytes)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        return _svg(figure)


def draw_shares(tables: Mapping[str, float]) -> str:
    """Return a bar for each table, the one with most bytes on top."""
    with _figure(0.6 + 0.25 * len(tables)) as (figure, axes):
        total = sum(tables.values()) or 1
        for k, num_bytes in enumerate(tables.values()):
            axes.barh(k, num_bytes, color=COLOURS[min(k, len(COLOURS) - 1)])
            share = f" {format_bytes(int(num_bytes))}, {num_bytes / total:.1%}"
            axes.text(num_bytes, k, share, va="center")
        axes.set_yticks(range(len(tables)), [_label(table) for table in tables])
        axes.invert_yaxis()
        axes.margins(x=0.2)
        _count_on(axes.xaxis, are_bytes=True)
        return _svg(figure)


def draw_sizes(sizes: Counter[int]) -> str:
    """Return the number of transactions by the power of two that their bytes reach."""
    with _figure(2.2) as (figure, axes):
        powers = range(min(sizes), max(sizes) + 1)
        axes.bar(powers, [sizes[power] for power in powers], 0.9, align="edge", color=COLOURS[0])
        axes.set_yscale("symlog", linthresh=1)
        step = 1 if len(powers) < 16 else 2
        ticks = range(min(sizes), max(sizes) + 2, step)
        axes.set_xticks(ticks, [format_bytes(1 << power) for power in ticks])
        axes.set_ylabel("transactions")
        _count_on(axes.yaxis, are_bytes=False)
        return _svg(figure)


def draw_hours(by_hour: Mapping[tuple[int, int], int]) -> str:
    """Return the bytes of each hour of the week, as shades."""
    from matplotlib import colormaps

    with _figure(2.2) as (figure, axes):
        rows = [[by_hour.get((day, hour), 0) for hour in range(24)] for day in range(7)]
        # So few shades are drawn as shapes; more would be an image within the picture.
        shades = colormaps["viridis"].resampled(12)
        mesh = axes.pcolormesh(rows, cmap=shades, edgecolors="none")
        axes.set_xticks(
            [hour + 0.5 for hour in range(0, 24, 3)], [str(hour) for hour in range(0, 24, 3)]
        )
        axes.set_yticks([day + 0.5 for day in range(7)], _DAYS)
        axes.invert_yaxis()
        bar = figure.colorbar(mesh, ax=axes)
        _count_on(bar.ax.yaxis, are_bytes=True)
        return _svg(figure)


@contextmanager
def _figure(height: float) -> Iterator[tuple[Figure, Axes]]:
    """Give a figure and its axes, in the style of the report."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure((_WIDTH, height))
        yield figure, figure.subplots()


def _label(table: str) -> str:
    return one_line(table, _MAX_LABEL).lstrip("_")  # a legend leaves out what begins with one


def _count_on(axis: Any, *, are_bytes: bool) -> None:
    """Let an axis count in whole numbers, or in bytes, at powers of two."""
    from matplotlib.ticker import FuncFormatter, MultipleLocator

    def text(value: float, _position: int) -> str:
        return format_bytes(int(value)) if are_bytes else f"{value:,.0f}"

    axis.set_major_formatter(FuncFormatter(text))
    if are_bytes:
        low, high = axis.get_view_interval()
        axis.set_major_locator(MultipleLocator(1 << max(int(high - low) // 3, 1).bit_length() - 1))


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    with warnings.catch_warnings():
        # The browser draws the letters of names; Matplotlib lacks a font for some.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        metadata = {"Date": None, "Creator": None}
        figure.savefig(out, format="svg", transparent=True, metadata=metadata)
    # Without the prologue of a file, and what describes one.
    svg = re.sub(r"^.*?(?=<svg)|<metadata>.*</metadata>", "", out.getvalue(), flags=re.DOTALL)
    return svg.replace(_INK, "currentColor")
