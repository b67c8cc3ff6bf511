"""A log of a server with `binlog_row_image=MINIMAL`: images that lack most columns."""

from collections import Counter

from bench import values
from bench.workloads import Bulk


class Minimal(Bulk):
    """Updates of one of 14 columns and deletes, by primary key, with minimal images.

    The image before a change holds the key only; the one after an update holds the changed column.
    """

    name = "minimal"
    number = 10
    share = 0.5
    num_rows_per_update = 300
    num_rows_per_delete = 200
    num_updated = 6000
    num_deleted_per_megabyte = 5000
    ddl = (Bulk.ddl[0].replace("TABLE bulk", "TABLE minimal"),)
    changes = (
        ("customer", values.signed(3, 100_000_000)),
        ("price", values.fixed_point(21, 2)),
        ("changed", values.moment(60, 3)),
        ("title", values.phrase(87, 4, 5)),
        ("note", values.phrase(99, 9, 14)),
    )

    def prepare(self) -> None:
        """Fill the table: low ids are updated again and again, high ids are deleted."""
        self._create_row_numbers(
            self.num_updated + int(self._megabytes * self.num_deleted_per_megabyte)
        )
        self._insert_rows(list(self.columns), 1)
        self.execute("SET SESSION binlog_row_image = 'MINIMAL'")

    def write_slice(self, slice_index: int) -> Counter[str]:
        """Update each column of some rows, and delete others.

        Raises:
            RuntimeError: if too few rows were left to delete.
        """
        counts: Counter[str] = Counter()
        first = 1 + slice_index * self.num_rows_per_update % self.num_updated
        last = first + self.num_rows_per_update - 1
        seed = values.hash_of(f"CONCAT(minimal.id, ':', {slice_index})")
        for column, value in self.changes:
            counts["update"] += self.execute(
                f"UPDATE /*+ NO_MERGE(source) */ minimal JOIN (SELECT id, {seed} AS h FROM minimal"
                f" WHERE id BETWEEN {first} AND {last}) AS source ON source.id = minimal.id"
                f" SET {column} = {value}"
            )
        first = self.num_updated + 1 + slice_index * self.num_rows_per_delete
        last = first + self.num_rows_per_delete - 1
        num_deleted = self.execute(f"DELETE FROM minimal WHERE id BETWEEN {first} AND {last}")
        if num_deleted < self.num_rows_per_delete:
            raise RuntimeError(f"slice {slice_index} found only {num_deleted} rows to delete")
        counts["delete"] = num_deleted
        return counts
