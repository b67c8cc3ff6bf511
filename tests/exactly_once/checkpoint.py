"""What the checkpoint of a stream says about how far it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple


class Place(NamedTuple):
    """A place in a series of logs; the later is the greater."""

    log_file: str
    pos: int


def count_batches(checkpoint: Path) -> int:
    """Return how many batches are done; Spark keeps the files of some, numbered from 0."""
    done = [int(path.name) for path in checkpoint.glob("commits/*") if path.name.isdigit()]
    return max(done, default=-1) + 1


def committed_place(checkpoint: Path) -> Place | None:
    """Return up to where a stream has read, for good; None if it has read nothing."""
    num_batches = count_batches(checkpoint)
    if not num_batches:
        return None
    text = (checkpoint / "offsets" / str(num_batches - 1)).read_text()
    offset = json.loads(text.splitlines()[-1])
    return Place(offset["log_file"], offset["pos"]) if offset["log_file"] else None
