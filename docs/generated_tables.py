"""The directive `generated-table`: a table of the reference, made from the code."""

from collections.abc import Callable
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from pyspark_adapter.options.binlog_options import describe_options
from pyspark_adapter.plan.output_schema import describe_metadata

# Each gives a table in Markdown.
_TABLES: Final[dict[str, Callable[[], str]]] = {
    "options": describe_options,
    "metadata-columns": describe_metadata,
}


class GeneratedTable(SphinxDirective):
    """Shows one of the tables by its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the parsed table."""
        return self.parse_text_to_nodes(_TABLES[self.arguments[0]]())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("generated-table", GeneratedTable)
    return {"parallel_read_safe": True}
