"""Catalogs in the configuration of pyiceberg: a file of SQLite outside of the lake, and Glue."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyiceberg import catalog
from pyiceberg.utils.config import Config


def name_catalog(monkeypatch: pytest.MonkeyPatch, name: str, folder: Path) -> None:
    """Have the environment describe a catalog; pyiceberg looks at it as it is imported."""
    _configure(monkeypatch, name, {"uri": f"sqlite:///{folder}/{name}.db"})


def name_glue(monkeypatch: pytest.MonkeyPatch, name: str, endpoint: str) -> None:
    """Have the environment describe a catalog of Glue."""
    settings = {"endpoint": endpoint, "region": "us-east-1"}
    settings |= {"access_key_id": "key", "secret_access_key": "hidden"}
    found = {f"glue__{key}": value for key, value in settings.items()}
    _configure(monkeypatch, name, {"type": "glue", **found})


def _configure(monkeypatch: pytest.MonkeyPatch, name: str, settings: dict[str, str]) -> None:
    for key, value in settings.items():
        monkeypatch.setenv(f"PYICEBERG_CATALOG__{name}__{key}".upper(), value)
    monkeypatch.setattr(catalog, "_ENV_CONFIG", Config())
