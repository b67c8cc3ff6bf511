"""The directive `generated-table`: a part of the reference, made from the code."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from type_table import describe_types

from pyspark_adapter import errors, read_batches
from pyspark_adapter.options.binlog_options import describe_options
from pyspark_adapter.plan.output_schema import describe_metadata


def describe_errors() -> str:
    """Return each error, with its cause and what to do, as a Markdown list of definitions."""
    parts = []
    for name, kind in vars(errors).items():
        if (
            isinstance(kind, type)
            and issubclass(kind, Exception)
            and kind is not errors.BinlogError
        ):
            text = inspect.cleandoc(kind.__doc__ or "").partition("\n\nAttributes:")[0]
            also = [base.__name__ for base in kind.__bases__ if base.__module__ == "builtins"]
            bases = f" Also a Python `{also[0]}`." if also else ""
            parts.append(f"`{name}`\n: {' '.join(text.split())}{bases}")
    return "\n\n".join(parts)


_SAMPLES: Final = Path(__file__).parent.parent / "samples"
_SHOWN_COLUMNS: Final = (
    "_change_type",
    "_commit_timestamp",
    "order_id",
    "status",
    "total",
    "shipped_at",
)


def describe_rows() -> str:
    """Return the rows of one order in a sample, as a Markdown table."""
    lines = [" | ".join(f"`{name}`" for name in _SHOWN_COLUMNS)]
    lines.append(" | ".join("---" for _ in _SHOWN_COLUMNS))
    for batch in read_batches(str(_SAMPLES / "mysql-9.7-shop.000001"), table="shop.orders"):
        for row in batch.select(_SHOWN_COLUMNS).to_pylist():
            if row["order_id"] == 1:
                row["_commit_timestamp"] = f"{row['_commit_timestamp']:%H:%M:%S.%f}"
                cells = ["null" if value is None else str(value) for value in row.values()]
                lines.append(" | ".join(cells))
    return "\n".join(f"| {line} |" for line in lines)


# Each gives a text in Markdown.
_TABLES: Final[dict[str, Callable[[], str]]] = {
    "options": describe_options,
    "metadata-columns": describe_metadata,
    "errors": describe_errors,
    "rows": describe_rows,
    "types": describe_types,
}


class GeneratedTable(SphinxDirective):
    """Shows one of the parts by its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the parsed text."""
        return self.parse_text_to_nodes(_TABLES[self.arguments[0]]())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("generated-table", GeneratedTable)
    return {"parallel_read_safe": True}
