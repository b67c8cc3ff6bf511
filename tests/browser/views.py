"""What the compiled Python parser makes of a log, in the terms of the page's reports."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kaitaistruct import KaitaiStructError
from mysql_binlog import MysqlBinlog

from tests.browser.labels import event_labels
from tests.browser.schema_types import SchemaType
from tests.browser.tree import Tree


@dataclass(frozen=True)
class View:
    """One log.

    Attributes:
        error: Why it cannot be parsed; the rest is empty then.
        counts: Number of objects by class.
        labels: For each event the labels of its nodes.
    """

    error: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    labels: list[list[str]] = field(default_factory=list)


def view_log(path: Path, types: Mapping[str, SchemaType]) -> View:
    """Return the view of a log, with all nodes opened."""
    try:
        root = MysqlBinlog.from_file(str(path))
    except (KaitaiStructError, EOFError) as error:
        return View(error=f"{type(error).__name__}: {error}")
    with root:
        tree = Tree(types)
        labels = event_labels(tree, root)
    return View(counts=dict(tree.counts), labels=labels)
