"""Debezium's embedded engine as a program: how it is built, its settings, and how it starts."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

_FOLDER: Final = Path(__file__).parent / "peer_programs"
_BUILT: Final = _FOLDER / "build" / "debezium"
_BUILD: Final = ("mvn", "--batch-mode", "--quiet", "compile", "dependency:copy-dependencies")
MYSQL: Final = "io.debezium.connector.mysql.MySqlConnector"
MARIADB: Final = "io.debezium.connector.mariadb.MariaDbConnector"


def build() -> None:
    """Compile the programs, with what they need from Maven."""
    subprocess.run(_BUILD, cwd=_FOLDER / "debezium", check=True)


def settings_of(folder: Path, port: int, user: str, password: str) -> dict[str, object]:
    """Return an engine's settings: Debezium's defaults, without the initial snapshot.

    Args:
        folder: of its offsets and its history.
        port, user, password: of a server on this machine.
    """
    return {
        "name": "engine",
        "connector.class": MYSQL,
        "offset.storage": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
        "offset.storage.file.filename": folder / "offsets",
        "schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory",
        "schema.history.internal.file.filename": folder / "history",
        "database.hostname": "127.0.0.1",
        "database.port": port,
        "database.user": user,
        "database.password": password,
        "database.server.id": 4711,
        "snapshot.mode": "no_data",
    }


def start(
    program: str, file: Path, settings: Mapping[str, object], mark: int, errors: int | IO[str]
) -> subprocess.Popen[str]:
    """Start a program of `peer_programs/debezium`; it ends behind a row of `marks` with this id.

    Args:
        program: name of its class.
        file: for the settings.
        settings: of the engine.
        mark: the id.
        errors: where what it prints as errors goes.
    """
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    file.write_text(text, encoding="utf-8")
    classes = f"{_BUILT}/classes:{_BUILT}/dependency/*"
    command = ["java", "-cp", classes, program, str(file), str(mark)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
