"""`rows`: the row changes, as text, JSON lines, CSV, SQL, or in a file of Parquet or Arrow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from pyspark_adapter.cli.arguments import OUTPUT, PATTERN_LETTERS, ChosenLogs, add_logs, chosen_logs
from pyspark_adapter.cli.output_file import add_force, check_output, output_path
from pyspark_adapter.cli.terminal import add_format, printable
from pyspark_adapter.errors import BinlogError, OptionError

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    import pyarrow as pa

    from pyspark_adapter.cli.terminal import Terminal
    from pyspark_adapter.decode.batch_reader import BatchReader

COLOURS = {"insert": "green", "update": "yellow", "delete": "red"}
_FILES = ("parquet", "arrow")
# Of text; the first lines need not wait for those of a whole batch.
_LINES_AT_A_TIME = 1000
_STARTS = frozenset({"starting_timestamp", "starting_position", "include_gtids"})


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    add_format(command, "text", "jsonl", "csv", "sql", "debezium", *_FILES)
    command.add_argument(
        "--topic-prefix", metavar="NAME", help="of --format debezium: as Debezium's topic.prefix"
    )
    command.add_argument(
        *OUTPUT, type=output_path, metavar="FILE", help="the file of parquet or arrow"
    )
    add_force(command)
    command.add_argument(
        "--follow", action="store_true", help="wait for more changes: text and jsonl"
    )
    command.add_argument(
        "--metrics", metavar="FILE", help="of --follow: keep a file of metrics for Prometheus"
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    form = arguments.format
    if (arguments.output is not None) != (form in _FILES):
        raise OptionError(
            "--output: expected a file with --format parquet or arrow, and none with the others"
        )
    if arguments.follow and form not in ("text", "jsonl"):
        raise OptionError(f"--follow: expected --format text or jsonl, got {form}")
    if arguments.metrics is not None and not arguments.follow:
        raise OptionError("--metrics: expected --follow; other reads end by themselves")
    if (arguments.topic_prefix is not None) != (form == "debezium"):
        raise OptionError("--topic-prefix: expected a name with --format debezium, and none else")
    logs = chosen_logs(arguments)
    if form == "debezium":
        _print_messages(logs, terminal, arguments.topic_prefix)
        return 0
    if form in ("text", "jsonl", "sql") and (row := logs.checked().row) != "json":
        raise OptionError(f"--row: expected json with --format {form}, got {row}")
    if form in ("text", "jsonl"):
        _print_changes(logs, terminal, form, arguments)
        return 0
    if form == "sql":
        _print_sql(logs, terminal)
        return 0
    if form == "csv":
        num_rows = _print_csv(_images(logs), terminal)
    else:
        check_output("--output", arguments.output, logs, force=arguments.force)
        num_rows = _write(_images(logs), form, arguments.output, replaces=arguments.force)
        terminal.note(f"{num_rows:,} row images")
    if not num_rows:
        logs.note_nothing_found(terminal)
    return 0


def _print_changes(
    logs: ChosenLogs, terminal: Terminal, form: str, arguments: argparse.Namespace
) -> None:
    """Print a line for each change."""
    from pyspark_adapter.operations.row_changes import METADATA, pair_changes
    from pyspark_adapter.plan.output_schema import ABSENT, DIFF
    from pyspark_adapter.reader import read_batches

    columns = {"metadata_columns": (*METADATA, DIFF, *([ABSENT] if form == "text" else []))}
    images: Iterable[pa.RecordBatch]
    if arguments.follow:
        from pyspark_adapter.operations.follow import follow_rows
        from pyspark_adapter.stream.metrics import StreamMetrics

        metrics = None if arguments.metrics is None else StreamMetrics(arguments.metrics)
        # From now on, unless a filter says from when.
        has_start = not _STARTS.isdisjoint(logs.options)
        start = {"starting_offsets": "earliest" if has_start else "latest"}
        images = follow_rows(logs.paths, logs.checked(**columns, **start), metrics=metrics)
    else:
        images = read_batches(logs.paths, **(logs.options | columns))
    is_empty = True
    for changes in pair_changes(images):
        is_empty = False
        if form == "jsonl":
            for data in changes.json_lines():
                terminal.write_data(data)
        else:
            table = changes.table()
            for first in range(0, table.num_rows, _LINES_AT_A_TIME):
                part = table.slice(first, _LINES_AT_A_TIME)
                terminal.write("".join(_lines(part, terminal.coloured)))
        if arguments.follow:
            terminal.flush()
    if is_empty:
        logs.note_nothing_found(terminal)


def _lines(changes: pa.RecordBatch, coloured: Callable[[str, str], str]) -> Iterator[str]:
    for change in changes.to_pylist():
        kind = change["_change_type"]
        table = f"{change['_database_name']}.{change['_table_name']}"
        head = f"{change['_commit_timestamp']:%Y-%m-%d %H:%M:%S}  {printable(table)}  "
        before, after, diff = (_parsed(change[name]) for name in ("before", "after", "_json_diff"))
        absent = change["_absent_columns"] or ()
        text = change["_statement"] or describe(before, after, diff, absent)
        yield f"{head}{coloured(kind, COLOURS.get(kind, 'yellow'))}  {printable(text)}\n"


def _parsed(row: str | None) -> Any:
    return None if row is None else json.loads(row)


def describe(
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    differences: Mapping[str, Any] | None = None,
    absent: Sequence[str] = (),
) -> str:
    """Return a change: of an update first what changed, then the rest.

    >>> describe({"id": 1, "city": "Oslo"}, {"id": 1, "city": "Rome"})
    'city: "Oslo" -> "Rome"  (id=1)'
    >>> describe({"id": 1}, {}, {"tags": [{"op": "remove", "path": "$.old"}]}, ["id", "tags"])
    'tags: remove $.old  (id=1)'

    Args:
        before, after: the images; None where there is none.
        differences: by column, those of a document that is not logged.
        absent: the columns that the image after the change lacks.
    """
    if before is None or after is None:
        return _values((before or after or {}).items())
    changed = [
        f"{name}: {_value(before[name])} -> {_value(after[name])}"
        for name in after
        if name in before and before[name] != after[name]
    ]
    changed += [f"{name}: -> {_value(after[name])}" for name in after if name not in before]
    for name, steps in (differences or {}).items():
        changed.append(f"{name}: {', '.join(map(_step, steps))}")
    hidden = ", ".join(name for name in absent if name not in before)
    if not changed:
        changed.append(f"not logged: {hidden}" if hidden else "no change")
    same = _values(
        (name, value) for name, value in before.items() if name not in after or after[name] == value
    )
    return f"{', '.join(changed)}{f'  ({same})' if same else ''}"


def _step(step: Mapping[str, Any]) -> str:
    value = f" {_value(step['value'])}" if "value" in step else ""
    return f"{step['op']} {step['path']}{value}"


def _values(items: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}={_value(value)}" for name, value in items)


def _value(value: Any) -> str:
    return "NULL" if value is None else json.dumps(value, ensure_ascii=False)


def _images(logs: ChosenLogs) -> BatchReader:
    """Return the row images: with typed columns if one table is asked for, else as JSON."""
    from pyspark_adapter.options.binlog_options import BinlogOptions
    from pyspark_adapter.plan.output_schema import ABSENT, DIFF, metadata_fields
    from pyspark_adapter.reader import read_batches

    options = dict(logs.options)
    tables = str(options.get("tables", ""))
    if tables and not set(tables) & set(PATTERN_LETTERS):
        options["table"] = options.pop("tables")
    # An absent column must not look like null.
    defaults = metadata_fields(BinlogOptions.from_python(options))
    options["metadata_columns"] = (*(field.name for field in defaults), ABSENT, DIFF)
    return read_batches(logs.paths, **options)


def _print_sql(logs: ChosenLogs, terminal: Terminal) -> None:
    """Print a statement for each change, as one transaction in a session for its literals.

    It ends in ROLLBACK if the read fails, so that a client never applies a part.
    """
    from pyspark_adapter.sql_text.script import sql_row_blocks
    from pyspark_adapter.sql_text.session import begin_session, end_session

    is_empty, end = True, "ROLLBACK;"
    for line in (*begin_session(), "START TRANSACTION;"):
        terminal.print_sql(line)
    try:
        for block in sql_row_blocks(logs.paths, logs.options):
            is_empty = False
            terminal.write_data(block)
        end = "COMMIT;"
    finally:
        for line in (end, *end_session()):
            terminal.print_sql(line)
    if is_empty:
        logs.note_nothing_found(terminal)


def _print_messages(logs: ChosenLogs, terminal: Terminal, prefix: str) -> None:
    """Print a JSON object for each message of Debezium: topic, key and value."""
    from pyspark_adapter.operations.debezium_messages import DebeziumMessages
    from pyspark_adapter.reader import read_batches

    images = read_batches(logs.paths, **(logs.options | {"row": "debezium"}))
    is_empty = True
    for messages in DebeziumMessages(prefix).of(images):
        is_empty = False
        for message in messages.to_pylist():
            key, value = message["key"] or "null", message["value"] or "null"
            line = f'{{"topic": {json.dumps(message["topic"])}, "key": {key}, "value": {value}}}\n'
            terminal.write_data(line.encode())
    if is_empty:
        logs.note_nothing_found(terminal)


def _print_csv(reader: BatchReader, terminal: Terminal) -> int:
    """Print row images as CSV; return how many."""
    num_rows = 0

    def counted() -> Iterator[pa.RecordBatch]:
        nonlocal num_rows
        for batch in reader:
            num_rows += batch.num_rows
            yield batch

    for data in csv_of(counted(), reader.schema.names):
        terminal.write_data(data)
    return num_rows


def csv_of(batches: Iterable[pa.RecordBatch], names: list[str]) -> Iterator[pa.Buffer]:
    """Yield rows as CSV: the titles, then those of each batch."""
    import pyarrow as pa
    import pyarrow.csv

    options = pa.csv.WriteOptions(include_header=True)
    titles = pa.RecordBatch.from_arrays([pa.array([], pa.string())] * len(names), names)
    for batch in chain([titles], batches):  # if there are no rows, the titles alone
        out = pa.BufferOutputStream()
        columns = [_csv_column(column) for column in batch.columns]
        pa.csv.write_csv(pa.RecordBatch.from_arrays(columns, names), out, options)
        yield out.getvalue()
        options = pa.csv.WriteOptions(include_header=False)


def _csv_column(column: pa.Array) -> pa.Array:
    """Return a column as CSV can have it: bytes in hexadecimal, lists and structs as JSON."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_binary(kind):
        values = [None if value is None else value.hex() for value in column.to_pylist()]
        return pa.array(values, pa.string())
    if pa.types.is_nested(kind):
        values = [
            None if value is None else json.dumps(value, default=bytes.hex)
            for value in column.to_pylist()
        ]
        return pa.array(values, pa.string())
    if pa.types.is_duration(kind):
        return column.cast(pa.int64())
    return column.cast(pa.string()) if pa.types.is_decimal(kind) else column


def _write(reader: BatchReader, form: str, path: Path, *, replaces: bool) -> int:
    """Write row images to a file, a batch at a time; return how many; raises BinlogError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from pyspark_adapter.sources.written_files import existing_file, whole_file

    make = pq.ParquetWriter if form == "parquet" else pa.ipc.new_file
    count = 0
    failure: BinlogError | None = None
    with whole_file(path, replaces=replaces) as file, make(file, reader.schema) as writer:
        try:
            for batch in reader:
                writer.write_batch(batch)
                count += batch.num_rows
        except BinlogError as error:
            if not count or existing_file(path) is not None:
                raise
            failure = error
    if failure is not None:
        raise failure
    return count
