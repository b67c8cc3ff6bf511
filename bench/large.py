"""The workload of one large log: inserts in bulk, transactions of one row, updates and deletes."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from bench import values
from bench.workloads import Bulk, Connect, Workload


class Large(Workload):
    """A table of the 14 columns of `bulk`; by bytes about a third of the log is of each kind.

    A slice is an INSERT ... SELECT of 1,000 rows, 480 transactions of one row from 8 connections
    (two inserts, one update, and so on), and an UPDATE and a DELETE with full images.
    """

    name = "large"
    number = 9
    # A binary log has at most 1 GiB, after which the server begins another: 0.1 % less than that.
    share = 10.726
    num_rows_per_statement = 1000
    num_rows_per_update = 500
    num_rows_per_delete = 200
    num_connections = 8
    num_transactions_per_call = 60
    ddl = (Bulk.ddl[0].replace("TABLE bulk", "TABLE large"),)
    columns = Bulk.columns
    # Rows of the single transactions stand behind those of the bulk.
    first_single = 1_000_000_000
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

    def __init__(self, connect: Connect, megabytes: float) -> None:
        super().__init__(connect, megabytes)
        self._writers = [connect() for _ in range(self.num_connections)]
        self._pool = ThreadPoolExecutor(self.num_connections)

    def prepare(self) -> None:
        """Create the row numbers of one statement, and the procedure."""
        self._create_row_numbers(self.num_rows_per_statement)
        self.execute(self.procedure)

    def write_slice(self, slice_index: int) -> Counter[str]:
        """Run each kind of statement once, the procedure on every connection.

        Raises:
            RuntimeError: rows were missing, so the log would not be what it says.
        """
        first = 1 + slice_index * self.num_rows_per_statement
        counts = Counter(insert=self._insert_rows(list(self.columns), first))
        jobs = range(self.num_connections)
        for inserts, updates in self._pool.map(lambda k: self._call(k, slice_index), jobs):
            counts.update(insert=inserts, update=updates)
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

    def close(self) -> None:
        """Give all connections and threads back."""
        self._pool.shutdown()
        for connection in self._writers:
            connection.close()
        super().close()

    def _call(self, writer_index: int, slice_index: int) -> tuple[int, int]:
        step = self.num_connections
        first = self.first_single + writer_index
        first += slice_index * self.num_transactions_per_call * step
        with self._writers[writer_index].cursor() as cursor:
            cursor.execute(f"CALL write_large({first}, {step}, {self.num_transactions_per_call})")
            inserts, updates = cursor.fetchone()
        return int(inserts), int(updates)
