"""What a run came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.exactly_once.proof import Proven


@dataclass
class Found:
    """What a run came to.

    Attributes:
        kills: how many, by the kind of process killed.
        proven: by sink.
        num_batches: by sink.
        num_known: batches that Delta had already when it got them.
        num_logs: that the server wrote.
        num_purged: of them, while they were read.
        num_left: processes that outlived what was killed by ten seconds.
        num_steps: of the load.
        seconds: that it took.
    """

    kills: Counter[str] = field(default_factory=Counter)
    proven: dict[str, Proven] = field(default_factory=dict)
    num_batches: dict[str, int] = field(default_factory=dict)
    num_known: int = 0
    num_logs: int = 0
    num_purged: int = 0
    num_left: int = 0
    num_steps: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        kills = ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items()))
        sinks = "; ".join(
            f"{sink}: {proven.num_images:,} images of {proven.num_transactions:,} transactions in"
            f" {self.num_batches[sink]:,} batches, each once; {proven.num_compared:,} rows of the"
            " server found by replay"
            for sink, proven in self.proven.items()
        )
        return (
            f"{self.kills.total()} kills ({kills}), {self.num_logs} logs, {self.num_purged} purged"
            f" meanwhile, {self.num_steps:,} steps of load; {sinks};"
            f" {self.num_known} batches came to Delta again and were left out;"
            f" {self.num_left} processes had to be cleared away; {self.seconds:.0f} s"
        )
