"""What the applier makes of changes by hand, and that it finds what is not as it should be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.replay.applier import Applier, ReplayError
from tests.replay.changes import Change, Image
from tests.replay.foreign_keys import ForeignKey
from tests.replay.timeline import (
    Altered,
    Created,
    Dropped,
    Emptied,
    Ended,
    Event,
    Looked,
    Mark,
    Prepared,
    Selected,
)
from tests.truth.cells import Cell

KEYED = Created("t", ("id", "n", "word"), ("id",), {"word": "w"})
FREE = replace(KEYED, key_columns=())


def change(version: int, before: Image | None, after: Image | None, table: str = "t") -> Change:
    """Return a change of a table with three columns."""
    return Change(version, 0, f"log@{version}", table, KEYED.names, before, after)


def looked(
    *rows: tuple[Cell, ...], table: str = "t", names: tuple[str, ...] = KEYED.names
) -> Event:
    """Return what a server selects."""
    return Looked((Selected(table, names, rows),))


def run(changes: list[Change], *events: tuple[int, Event], cascades: bool = False) -> int:
    """Apply changes and events; return the number of rows compared."""
    applier = Applier(follows_foreign_keys=cascades)
    applier.run(changes, [Mark(version, 0, event) for version, event in events])
    return applier.num_compared


ROW: Image = {0: "1", 1: "5", 2: "a"}
OTHER: Image = {0: "2", 1: None, 2: "b"}


@pytest.mark.parametrize("created", [KEYED, FREE])
def test_rows_are_added_changed_and_taken(created: Created) -> None:
    changes = [
        change(1, None, ROW),
        change(2, None, OTHER),
        change(3, ROW, {**ROW, 0: "3"}),
        change(4, OTHER, None),
    ]
    assert run(changes, (0, created), (5, looked(("3", "5", "a")))) == 1


def test_columns_that_are_absent_keep_their_values_or_get_defaults() -> None:
    changes = [change(1, None, {0: "1", 1: "5"}), change(2, {0: "1"}, {1: None})]
    assert run(changes, (0, KEYED), (3, looked(("1", None, "w")))) == 1


def test_rows_without_a_key_are_counted() -> None:
    changes = [change(1, None, ROW), change(2, None, ROW), change(3, ROW, None)]
    assert run(changes, (0, FREE), (2, looked(("1", "5", "a"))), (4, looked(("1", "5", "a")))) == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([change(1, ROW, None)], "there is no row of key"),
        ([change(1, None, ROW), change(2, None, ROW)], "there is a row of key"),
        ([change(1, None, ROW), change(2, {**ROW, 1: "6"}, None)], "column n: expected '5'"),
        ([change(1, None, ROW, "u")], "there is no such table"),
        ([replace(change(1, None, ROW), names=("id", "n", "w"))], "expected columns"),
        ([], "1 rows of the server are not found"),
        ([change(1, None, {**ROW, 1: "6"})], "column n: expected '5', found '6'"),
        ([change(1, None, ROW), change(2, None, OTHER)], "1 found are not its"),
    ],
)
def test_what_is_not_as_it_should_be_is_found(changes: list[Change], message: str) -> None:
    with pytest.raises(ReplayError, match=message):
        run(changes, (0, KEYED), (9, looked(("1", "5", "a"))))


def test_a_row_too_many_of_a_table_without_a_key_is_found() -> None:
    with pytest.raises(ReplayError, match="1 found are not its"):
        run([change(1, None, ROW), change(2, None, ROW)], (0, FREE), (9, looked(("1", "5", "a"))))


def test_tables_are_emptied_dropped_and_altered() -> None:
    altered = Created("t", ("id", "more", "n"), ("id",), {"more": "7"})
    run(
        [change(1, None, ROW), change(4, None, OTHER)],
        (0, KEYED),
        (2, Emptied("t")),
        (3, looked()),
        (5, Altered(altered)),
        (6, looked(("2", "7", None), names=altered.names)),
        (7, Dropped("t")),
    )


def test_changes_of_a_prepared_transaction_wait_for_its_end() -> None:
    changes = [replace(change(1, None, ROW), xa="X"), change(5, None, OTHER)]
    events = ((0, KEYED), (1, Prepared("x", "X", 2)), (2, looked()))
    rows = ("1", "5", "a"), ("2", None, "b")
    run(changes, *events, (3, Ended("x", is_committed=True)), (9, looked(*rows)))
    run(changes, *events, (3, Ended("x", is_committed=False)), (9, looked(rows[1])))


def test_another_xa_transaction_is_found() -> None:
    events = (0, KEYED), (1, Prepared("x", "X", 2)), (3, Ended("x", is_committed=True))
    for changes in ([change(1, None, ROW)], [replace(change(2, None, ROW), xa="X")]):
        with pytest.raises(ReplayError, match="expected XA transaction"):
            run(changes, *events)


@pytest.mark.parametrize("deletes", [True, False])
def test_foreign_keys_are_followed(deletes: bool) -> None:
    child = Created("c", KEYED.names, ("id",), {}, ForeignKey("n", "t", "id", deletes))
    changes = [
        change(1, None, {0: "5", 1: None, 2: "a"}),
        change(2, None, ROW, "c"),
        change(3, {0: "5"}, {0: "6"}),
        change(5, {0: "6"}, None),
    ]
    left = [] if deletes else [("1", None, "a")]
    run(
        changes,
        (0, KEYED),
        (0, child),
        (4, looked(("1", "6", "a"), table="c")),
        (9, looked(*left, table="c")),
        cascades=True,
    )
