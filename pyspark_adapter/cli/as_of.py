"""`as-of`: the rows of a table at a moment, from a baseline and the logs after it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark_adapter.cli.arguments import OUTPUT, PATTERN_LETTERS, add_logs, chosen_logs
from pyspark_adapter.cli.given_times import absolute_time, zone_of
from pyspark_adapter.cli.output_file import add_force, check_output, output_path
from pyspark_adapter.errors import OptionError

if TYPE_CHECKING:
    import argparse

    import pyarrow as pa

    from pyspark_adapter.cli.terminal import Terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_logs(command)
    command.add_argument("--at", metavar="TIME", help="the moment: as --since; or --until-position")
    command.add_argument(
        "--from",
        dest="baseline",
        metavar="BASELINE",
        help="rows to begin with: Delta (PATH@v12) or Parquet, with --position; or a mysqldump",
    )
    command.add_argument("--key", help="of the rows: 42,43, or JSON, as history takes it")
    command.add_argument(
        *OUTPUT,
        type=_output,
        required=True,
        metavar="FILE",
        help="a file .csv or .parquet, else a folder",
    )
    add_force(command)


def _output(text: str) -> str:
    return str(output_path(text)) if _is_file(text) else text


def _is_file(path: str) -> bool:
    return Path(path).suffix.lower() in (".csv", ".parquet")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code."""
    from pyspark_adapter.as_of.rows_at import rows_at

    logs = chosen_logs(arguments)
    options = dict(logs.options)
    name = str(options.pop("tables", ""))
    if not name or set(name) & set(PATTERN_LETTERS):
        raise OptionError(f"--table: expected the name of one table, got {name!r}", option="tables")
    at = arguments.at
    if at is not None:
        at = absolute_time("--at", at, zone_of(arguments.timezone or "UTC"), datetime.now(UTC))
    if arguments.key is not None:
        options["keys"] = arguments.key
    path = arguments.output
    is_file = _is_file(path)
    if is_file:
        inputs = [] if arguments.baseline is None else [arguments.baseline]
        check_output("--output", path, logs, force=arguments.force, inputs=inputs)
    elif not arguments.force and Path(path).is_dir() and any(Path(path).iterdir()):
        raise OptionError(
            f"--output: {path} is not empty", advice="choose another folder, or add --force"
        )
    result = rows_at(logs.paths, table=name, at=at, baseline=arguments.baseline, **options)
    _write(result.rows, path, is_file=is_file, force=arguments.force)
    place = "" if result.position is None else f" at {_shown(result.position)}"
    terminal.note(f"{name}: {len(result.rows):,} rows{place}")
    if not result.is_whole:
        terminal.note(
            f"warning: {name}: the rows that the logs tell of: {result.num_unknown:,} were changed"
            " and not inserted in them; rows that they do not change are missing; give --from"
        )
    return 0


def _shown(position: Any) -> str:
    return f"{position.log_name}:{position.start_pos}"


def _write(rows: pa.Table, path: str, *, is_file: bool, force: bool) -> None:
    """Write the rows as a file, or as a data set of one file."""
    import pyarrow.parquet as pq

    from pyspark_adapter.sources.written_files import whole_file

    if not is_file:
        from pyspark_adapter.sources.locations import Location
        from pyspark_adapter.spark.data_set import part_name, staging
        from pyspark_adapter.spark.part_files import PartFile, writing

        folder = Location.parse(path)
        with writing(folder), staging(folder, overwrite=force) as staged:
            name = part_name(0)
            part = PartFile(folder, staged.folder.child(staged.name).child(name), rows.schema)
            for batch in rows.to_batches():
                part.add(batch)
            part.close() if len(rows) else part.close_empty()
            staged.commit([name])
        return
    with whole_file(path, replaces=force) as file:
        if path.lower().endswith(".csv"):
            from pyspark_adapter.cli.rows import csv_of

            for data in csv_of(rows.to_batches(), rows.schema.names):
                file.write(data)
        else:
            pq.write_table(rows, file)
