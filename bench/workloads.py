"""Workloads that fill the benchmark logs: tables, statements, and the server's row counts."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench import values

DATABASE_NAME = "bench"
Connect = Callable[[], Any]


class Workload(ABC):
    """One log: a table, unlogged preparations, and slices that are repeated until the log is full.

    Attributes:
        name: base name of the log.
        number: numeric suffix of the log; fixed, so a log that is made again keeps its name.
        share: size of the log as a multiple of the requested size.
        ddl: logged statements, in the log before the first slice.
    """

    name: str
    number: int
    share = 1.0
    ddl: tuple[str, ...]

    def __init__(self, connect: Connect, megabytes: float) -> None:
        self._megabytes = megabytes
        self._connection = connect()

    def execute(self, statement: str) -> int:
        """Run one statement and return the server's count of rows changed."""
        with self._connection.cursor() as cursor:
            return int(cursor.execute(statement))

    @abstractmethod
    def prepare(self) -> None:
        """Create what slices need; called with logging off."""

    @abstractmethod
    def write_slice(self, slice_index: int) -> Counter[str]:
        """Write the next part of the log and return the rows by operation."""

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def _create_row_numbers(self, num_rows: int) -> None:
        """Create the table `numbers` with 0 .. num_rows - 1."""
        self.execute("SET SESSION cte_max_recursion_depth = 10000000")
        self.execute("CREATE TABLE numbers (n INT PRIMARY KEY)")
        self.execute(
            "INSERT INTO numbers WITH RECURSIVE s(n) AS"
            f" (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n + 1 < {num_rows}) SELECT n FROM s"
        )

    def _insert_rows(self, columns: list[str], first: int) -> int:
        """Insert one row per row number, ids from `first` on, and return the number of rows."""
        # Without the hint the hash would be computed again for each column.
        return self.execute(
            f"INSERT INTO {self.name} SELECT /*+ NO_MERGE(source) */ {', '.join(columns)}"
            f" FROM (SELECT n + {first} AS id, {values.hash_of(f'n + {first}')} AS h"
            " FROM numbers) AS source ORDER BY id"
        )


class Concurrent(Workload):
    """A workload with a procedure that several connections run at the same time.

    Attributes:
        num_connections: number of these connections.
        num_transactions_per_call: transactions of one call of the procedure.
        first_id: first id of the rows that the procedure writes.
        procedure: statement that creates the procedure `write_NAME(first, step, num_transactions)`.
            It returns the number of inserts and updates.
    """

    num_connections = 8
    num_transactions_per_call: int
    first_id = 1
    procedure: str

    def __init__(self, connect: Connect, megabytes: float) -> None:
        super().__init__(connect, megabytes)
        self._writers = [connect() for _ in range(self.num_connections)]
        self._pool = ThreadPoolExecutor(self.num_connections)

    def close(self) -> None:
        """Close all connections and stop the threads."""
        self._pool.shutdown()
        for connection in self._writers:
            connection.close()
        super().close()

    def _call_all(self, slice_index: int) -> Counter[str]:
        """Run the procedure once on each connection, with different ids; return its counts."""
        counts: Counter[str] = Counter()
        jobs = range(self.num_connections)
        for inserts, updates in self._pool.map(lambda k: self._call(k, slice_index), jobs):
            counts.update(insert=inserts, update=updates)
        return counts

    def _call(self, writer_index: int, slice_index: int) -> tuple[int, int]:
        step, count = self.num_connections, self.num_transactions_per_call
        first = self.first_id + writer_index + slice_index * count * step
        with self._writers[writer_index].cursor() as cursor:
            cursor.execute(f"CALL write_{self.name}({first}, {step}, {count})")
            inserts, updates = cursor.fetchone()
        return int(inserts), int(updates)


class Bulk(Workload):
    """INSERT ... SELECT of 1,000 rows a statement into a table of 14 columns."""

    name = "bulk"
    number = 1
    num_rows_per_statement = 1000
    ddl = (
        """CREATE TABLE bulk (
             id bigint unsigned NOT NULL PRIMARY KEY,
             customer int NULL,
             delta smallint NOT NULL,
             grade tinyint unsigned NOT NULL,
             price decimal(12,2) NULL,
             rate decimal(20,6) NOT NULL,
             score double NULL,
             happened datetime(6) NOT NULL,
             changed timestamp(3) NOT NULL,
             due date NULL,
             code char(8) NOT NULL,
             title varchar(64) NOT NULL,
             note text NULL,
             attributes json NOT NULL)""",
    )
    columns = (
        "id",
        values.or_null(1, values.signed(3, 100_000_000)),
        values.signed(10, 32_767),
        f"{values.number(17, 2)} % 256",
        values.or_null(19, values.fixed_point(21, 2)),
        f"{values.fixed_point(28, 6)} * {values.number(35, 4)}",
        values.or_null(39, values.real(41)),
        values.moment(48, 6),
        values.moment(60, 3),
        values.or_null(72, values.day(74)),
        "UPPER(SUBSTR(h, 79, 8))",
        values.phrase(87, 4, 5),
        values.or_null(97, values.phrase(99, 9, 14)),
        values.document(117),
    )

    def prepare(self) -> None:
        """Create the row numbers of one statement."""
        self._create_row_numbers(self.num_rows_per_statement)

    def write_slice(self, slice_index: int) -> Counter[str]:
        """Insert the rows of one statement."""
        first = 1 + slice_index * self.num_rows_per_statement
        return Counter(insert=self._insert_rows(list(self.columns), first))


class Oltp(Concurrent):
    """Transactions of one row on several connections: two inserts, one update, and so on."""

    name = "oltp"
    number = 2
    num_transactions_per_call = 900
    ddl = (
        """CREATE TABLE oltp (
             id bigint NOT NULL PRIMARY KEY,
             account int NOT NULL,
             amount decimal(10,2) NOT NULL,
             note varchar(20) NULL,
             created timestamp NOT NULL)""",
    )
    # A procedure saves round trips. With autocommit, each of its statements is still a transaction
    # with its own GTID.
    procedure = f"""
        CREATE PROCEDURE write_oltp(first BIGINT, step BIGINT, num_transactions INT)
        BEGIN
          DECLARE k INT DEFAULT 0;
          DECLARE row_id BIGINT DEFAULT first;
          DECLARE num_inserts, num_updates INT DEFAULT 0;
          DECLARE h CHAR(128);
          WHILE k < num_transactions DO
            SET h = {values.hash_of("row_id")};
            IF k % 3 < 2 THEN
              INSERT INTO oltp VALUES (row_id, {values.signed(1, 900_000)},
                {values.fixed_point(8, 2)} * 0.1, {values.or_null(15, values.phrase(17, 1, 2))},
                {values.moment(21, 0)});
              SET num_inserts = num_inserts + ROW_COUNT();
            ELSE
              UPDATE oltp SET amount = amount + 1, note = {values.word(33)}, account = account + 1
                WHERE id = row_id - step;
              SET num_updates = num_updates + ROW_COUNT();
            END IF;
            SET k = k + 1, row_id = row_id + step;
          END WHILE;
          SELECT num_inserts, num_updates;
        END"""

    def prepare(self) -> None:
        """Create the procedure."""
        self.execute(self.procedure)

    def write_slice(self, slice_index: int) -> Counter[str]:
        """Run the procedure once on every connection."""
        return self._call_all(slice_index)


class Upd(Workload):
    """Updates of 300 rows and deletes of 200 with full images on a table of 11 columns."""

    name = "upd"
    number = 3
    num_rows_per_update = 300
    num_updates_per_slice = 4
    num_rows_per_delete = 200
    num_updated_per_megabyte = 600
    num_deleted_per_megabyte = 1500
    ddl = (
        """CREATE TABLE upd (
             id bigint unsigned NOT NULL PRIMARY KEY,
             customer int unsigned NOT NULL,
             state enum('new','paid','packed','sent','closed') NOT NULL,
             channels set('web','shop','phone') NULL,
             quantity smallint NOT NULL,
             total decimal(12,2) NOT NULL,
             weight float NULL,
             placed datetime NOT NULL,
             changed timestamp(6) NOT NULL,
             code char(8) NULL,
             note varchar(100) NULL)""",
    )
    states = ("new", "paid", "packed", "sent", "closed")
    columns = (
        "id",
        values.number(1),
        values.member(8, states),
        values.or_null(10, f"{values.number(12, 1)} % 8"),
        values.signed(13, 900),
        values.fixed_point(20, 2),
        values.or_null(27, values.real(29)),
        values.moment(36, 0),
        values.moment(48, 6),
        values.or_null(60, "SUBSTR(h, 62, 8)"),
        values.or_null(70, values.phrase(72, 3, 8)),
    )

    @property
    def _num_updated(self) -> int:
        return int(self._megabytes * self.num_updated_per_megabyte)

    def prepare(self) -> None:
        """Fill the table: low ids are updated again and again, high ids are deleted."""
        num_deleted = int(self._megabytes * self.num_deleted_per_megabyte)
        self._create_row_numbers(self._num_updated + num_deleted + self.num_rows_per_update)
        self._insert_rows(list(self.columns), 1)

    def write_slice(self, slice_index: int) -> Counter[str]:
        """Run four updates and one delete.

        Raises:
            RuntimeError: if too few rows were left to delete.
        """
        counts: Counter[str] = Counter()
        for k in range(self.num_updates_per_slice):
            counts["update"] += self._update(slice_index * self.num_updates_per_slice + k)
        first = self._num_updated + self.num_rows_per_update + 1
        first += slice_index * self.num_rows_per_delete
        last = first + self.num_rows_per_delete - 1
        num_deleted = self.execute(f"DELETE FROM upd WHERE id BETWEEN {first} AND {last}")
        if num_deleted < self.num_rows_per_delete:
            raise RuntimeError(f"slice {slice_index} found only {num_deleted} rows to delete")
        counts["delete"] = num_deleted
        return counts

    def _update(self, update_index: int) -> int:
        first = 1 + update_index * self.num_rows_per_update % self._num_updated
        last = first + self.num_rows_per_update - 1
        seed = values.hash_of(f"CONCAT(upd.id, ':', {update_index})")
        return self.execute(
            f"UPDATE /*+ NO_MERGE(source) */ upd JOIN (SELECT id, {seed} AS h FROM upd"
            f" WHERE id BETWEEN {first} AND {last}) AS source ON source.id = upd.id"
            f" SET state = {values.member(8, self.states)}, quantity = quantity % 900 + 1,"
            f" total = {values.fixed_point(20, 2)}, weight = {values.or_null(27, values.real(29))},"
            f" changed = {values.moment(48, 6)},"
            f" note = {values.or_null(70, values.phrase(72, 3, 8))}"
        )


WIDE_KINDS = (
    ("tinyint", values.signed(1, 127)),
    ("smallint unsigned", values.number(3, 4)),
    ("mediumint", values.signed(7, 8_000_000)),
    ("int", values.signed(14, 100_000_000)),
    ("bigint", f"{values.signed(21, 100_000_000)} * 1000003"),
    ("bigint unsigned", values.number(28)),
    ("float", values.real(35)),
    ("double", values.real(42)),
    ("decimal(10,2)", f"{values.fixed_point(49, 2)} * 0.1"),
    ("decimal(30,10)", f"{values.fixed_point(56, 6)} * {values.number(63)}"),
    ("bit(12)", values.number(70, 3)),
    ("year", f"1990 + {values.number(73, 2)} % 60"),
    ("date", values.day(75)),
    ("time(3)", f"SEC_TO_TIME({values.signed(80, 3_000_000)} / 8)"),
    ("datetime", values.moment(83, 0)),
    ("timestamp(6)", values.moment(85, 6)),
    ("char(10)", "SUBSTR(h, 95, 10)"),
    ("varchar(300)", values.phrase(97, 2, 4)),
    ("varbinary(16)", "UNHEX(SUBSTR(h, 101, 16))"),
    ("enum('low','middle','high')", values.member(119, ("low", "middle", "high"))),
)
WIDE_COLUMNS = tuple(
    (kind, values.or_null(1 + repeat * 12, expression))
    for repeat in range(10)
    for kind, expression in WIDE_KINDS
)[1:]


class Wide(Workload):
    """Bulk inserts into a table of 200 columns: an id and about ten each of twenty types."""

    name = "wide"
    number = 4
    share = 0.5
    num_rows_per_statement = 200
    ddl = (
        "CREATE TABLE wide (id bigint unsigned NOT NULL PRIMARY KEY, "
        + ", ".join(f"c{k:03} {kind} NULL" for k, (kind, _) in enumerate(WIDE_COLUMNS, 1))
        + ")",
    )

    def prepare(self) -> None:
        """Create the row numbers of one statement."""
        self._create_row_numbers(self.num_rows_per_statement)

    def write_slice(self, slice_index: int) -> Counter[str]:
        """Insert the rows of one statement."""
        columns = ["id", *(expression for _, expression in WIDE_COLUMNS)]
        first = 1 + slice_index * self.num_rows_per_statement
        return Counter(insert=self._insert_rows(columns, first))


WORKLOADS: tuple[type[Workload], ...] = (Bulk, Oltp, Upd)
