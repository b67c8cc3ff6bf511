"""Row images paired to changes: what a plain loop gives, for all sequences of a few images."""

from itertools import product

import pyarrow as pa
import pytest

from pyspark_adapter.operations.row_changes import METADATA, pair_changes
from pyspark_adapter.options.change_types import CHANGE_TYPES, SCHEMA_CHANGE_TYPES

PRE, POST = "update_preimage", "update_postimage"


def batch_of(kinds: list[str]) -> pa.RecordBatch:
    """Return images that are numbered in `row`."""
    columns = {name: pa.nulls(len(kinds), pa.string()) for name in METADATA}
    columns["_change_type"] = pa.array(kinds, pa.string())
    columns["row"] = pa.array([str(k) for k in range(len(kinds))])
    return pa.RecordBatch.from_pydict(columns)


def expected(kinds: list[str]) -> list[tuple[str, str | None, str | None]]:
    """Return kind, image before and image after of each change."""
    changes: list[tuple[str, str | None, str | None]] = []
    k = 0
    while k < len(kinds):
        has_pair = kinds[k : k + 2] == [PRE, POST]
        is_old = kinds[k] in (PRE, "delete")
        after = str(k + has_pair) if has_pair or not is_old else None
        changes.append((kinds[k].split("_")[0], str(k) if is_old else None, after))
        k += 1 + has_pair
    return changes


@pytest.mark.parametrize("count", range(1, 5))
def test_each_change_has_its_images(count: int) -> None:
    for kinds in map(list, product(["insert", "delete", PRE, POST], repeat=count)):
        batch = batch_of(kinds)
        for cut in range(count):
            found = [
                (row["_change_type"], row["before"], row["after"])
                for changes in pair_changes([batch[:cut], batch[cut:]])
                for row in changes.table().to_pylist()
            ]
            assert found == expected(kinds)


def test_all_kinds_have_names() -> None:
    kinds = [*CHANGE_TYPES, *SCHEMA_CHANGE_TYPES]
    for k in range(len(kinds)):
        batch = batch_of(kinds[k:] + kinds[:k])[1:]
        found = pa.Table.from_batches(changes.table() for changes in pair_changes([batch]))
        images = [kind for kind, _, _ in expected(batch.column("_change_type").to_pylist())]
        assert found.column("_change_type").to_pylist() == images
