"""The workload of one large log: bulk inserts, transactions of one row, updates and deletes."""

from collections import Counter

from bench import values
from bench.workloads import Bulk, Concurrent


class Large(Concurrent):
    """A table with the 14 columns of `bulk`. Each kind of change is about a third of the bytes.

    A slice is an INSERT ... SELECT of 1,000 rows, 480 transactions of one row from 8 connections
    (two inserts, one update, and so on), and an UPDATE and a DELETE with full images.
    """

    name = "large"
    number = 9
    # 0.1 % less than 1 GiB, where the server starts another log.
    share = 10.726
    num_rows_per_statement = 1000
    num_rows_per_update = 500
    num_rows_per_delete = 200
    num_transactions_per_call = 60
    ddl = (Bulk.ddl[0].replace("TABLE bulk", "TABLE large"),)
    columns = Bulk.columns
    # The procedure writes ids above those of the bulk inserts.
    first_id = 1_000_000_000
    procedure = f"""
        CREATE PROCEDURE write_large(first BIGINT, step BIGINT, num_transactions INT)
        BEGIN
          DECLARE k INT DEFAULT 0;
          DECLARE id BIGINT DEFAULT first;
          DECLARE num_inserts, num_updates INT DEFAULT 0;
          DECLARE h CHAR(128);
          WHILE k < num_transactions DO
            SET h = {values.hash_of("id")};
            IF k % 3 < 2 THEN
              INSERT INTO large VALUES ({", ".join(Bulk.columns)});
              SET num_inserts = num_inserts + ROW_COUNT();
            ELSE
              UPDATE large SET grade = (grade + 1) % 256, score = {values.real(29)},
                note = {values.or_null(97, values.phrase(33, 9, 14))}
                WHERE large.id = first + (k - 1) * step;
              SET num_updates = num_updates + ROW_COUNT();
            END IF;
            SET k = k + 1, id = id + step;
          END WHILE;
          SELECT num_inserts, num_updates;
        END"""

    def prepare(self) -> None:
        """Create the row numbers of one statement, and the procedure."""
        self._create_row_numbers(self.num_rows_per_statement)
        self.execute(self.procedure)

    def write_slice(self, slice_index: int) -> Counter[str]:
        """Run each kind of statement once, the procedure on every connection.

        Raises:
            RuntimeError: if rows to update or delete were missing.
        """
        first = 1 + slice_index * self.num_rows_per_statement
        inserted = self._insert_rows(list(self.columns), first)
        counts = Counter(insert=inserted) + self._call_all(slice_index)
        last = first + self.num_rows_per_update - 1
        updated = self.execute(
            f"UPDATE large SET grade = (grade + 1) % 256, delta = delta DIV 2, title = 'updated'"
            f" WHERE id BETWEEN {first} AND {last}"
        )
        last = first + self.num_rows_per_delete - 1
        deleted = self.execute(f"DELETE FROM large WHERE id BETWEEN {first} AND {last}")
        if (updated, deleted) != (self.num_rows_per_update, self.num_rows_per_delete):
            raise RuntimeError(f"slice {slice_index}: {updated} rows updated, {deleted} deleted")
        return counts + Counter(update=updated, delete=deleted)
