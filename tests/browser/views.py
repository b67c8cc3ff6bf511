"""What the compiled Python parser makes of a log, in the terms of the page's reports."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kaitaistruct import KaitaiStructError
from mysql_binlog import MysqlBinlog

from tests.browser.labels import event_labels
from tests.browser.schema_types import SchemaType
from tests.browser.tree import Tree

# A label holds those of the nodes below it: of a JSON document a hundred levels deep, as the
# server allows, several calls for each.
MAX_CALLS = 10_000


@dataclass(frozen=True)
class View:
    """One log."""

    error: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    labels: list[list[str]] = field(default_factory=list)


def view_log(path: Path, types: Mapping[str, SchemaType]) -> View:
    """Return the view of a log, with all nodes opened."""
    try:
        root = MysqlBinlog.from_file(str(path))
    except (KaitaiStructError, EOFError) as error:
        return View(error=f"{type(error).__name__}: {error}")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(MAX_CALLS)
    with root:
        tree = Tree(types)
        labels = event_labels(tree, root)
    sys.setrecursionlimit(limit)
    return View(counts=dict(tree.counts), labels=labels)
