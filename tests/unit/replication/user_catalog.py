"""A catalog in the configuration of pyiceberg: a file of SQLite outside of the lake."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyiceberg import catalog
from pyiceberg.utils.config import Config


def name_catalog(monkeypatch: pytest.MonkeyPatch, name: str, folder: Path) -> None:
    """Have the environment describe a catalog; pyiceberg looks at it as it is imported."""
    uri = f"sqlite:///{folder}/{name}.db"
    monkeypatch.setenv(f"PYICEBERG_CATALOG__{name.upper()}__URI", uri)
    monkeypatch.setattr(catalog, "_ENV_CONFIG", Config())
