"""`sample`: writes small logs of real servers, to try the other commands on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pyspark_adapter.cli.output_file import output_path
from pyspark_adapter.cli.terminal import printable
from pyspark_adapter.errors import OptionError

if TYPE_CHECKING:
    import argparse

    from pyspark_adapter.cli.terminal import Terminal

NAMES: Final = (
    "mariadb-11.8-transactions.000001",
    "mysql-9.7-shop.000001",
    "mysql-9.7-transactions.000001",
)
_PACKAGE: Final = Path(__file__).parents[1]
# In a wheel, within the package; in a checkout, next to it.
_FOLDERS: Final = (_PACKAGE / "samples", _PACKAGE.parent / "samples")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    command.add_argument(
        "folder", type=output_path, help="the folder to write them to, made if needed"
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run the command and return its exit code; a file with other content stays as it is."""
    from pyspark_adapter.sources.written_files import whole_file

    source = next(folder for folder in _FOLDERS if (folder / NAMES[0]).exists())
    folder: Path = arguments.folder
    logs = {folder / name: (source / name).read_bytes() for name in NAMES}
    for path, data in logs.items():
        if path.exists() and not (path.is_file() and path.read_bytes() == data):
            raise OptionError(
                f"{path}: expected no file, or the same log", advice="choose another folder"
            )
    folder.mkdir(parents=True, exist_ok=True)
    for path, data in logs.items():
        if not path.exists():
            with whole_file(path, replaces=False) as file:
                file.write(data)
        terminal.print(printable(str(path)))
    return 0
