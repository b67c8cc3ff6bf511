"""Proof that a copy outlives its server: `python -m tests.exactly_once.replica_failover --help`.

As `failover_run`, with `replicate` as the program, which never ends by itself. At the end the table
is what the server selects. It may be copied again after a kill between its commit and the state's.
"""

from __future__ import annotations

import re
import subprocess
import sys

from deltalake import DeltaTable
from deltalake.exceptions import TableNotFoundError

from tests.exactly_once.failover_run import DATABASE, SERVERS, TABLE, FailoverRun, Outcome
from tests.exactly_once.failover_servers import PASSWORD, USER, wait_until
from tests.exactly_once.runs import ProofError, do_runs, run_parser
from tests.inputs import ROOT


class ReplicaFailover(FailoverRun):
    """A run; a program that ends has failed."""

    def _start_stream(self, _until: str = "") -> None:
        nodes = [*self._nodes]
        if not self._moves:
            self._choices.shuffle(nodes)
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
        access = ["--host", hosts, "--user", USER, "--password", PASSWORD, "--pause", "0.1"]
        command = ["replicate", DATABASE, "--to", str(self._folder / "lake"), *access]
        with (self._folder / "stream.err").open("ab") as out:
            self._program = subprocess.Popen(
                [sys.executable, "-m", "pyspark_adapter", *command],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stderr=out,
            )

    def _is_running(self) -> bool:
        assert self._program is not None
        if self._program.poll() is not None:
            raise ProofError(f"replicate has ended:\n{self._errors()}")
        return True

    def _num_done(self) -> int:
        try:
            return 1 + int(self._copy().version())
        except TableNotFoundError:
            return 0

    def _copy(self) -> DeltaTable:
        return DeltaTable(self._folder / "lake" / TABLE.replace(".", "/"))

    def _rows(self) -> dict[int, str]:
        table = self._copy().to_pyarrow_table()
        return dict(zip(table["id"].to_pylist(), table["note"].to_pylist(), strict=True))

    def _drain(self) -> None:
        selected = dict(self._nodes[0].ask(f"SELECT id, note FROM {TABLE}"))
        wait_until(lambda: self._is_running() and self._rows() == selected)
        self.outcome.num_rows = len(selected)

    def _prove(self) -> None:
        text = (self._folder / "stream.err").read_text()
        self.outcome.num_moves = text.count("the lake continues with server")
        self.outcome.num_batches = self._num_done()
        if len(re.findall(r", [1-9]\d* copied, ", text)) > 1 + self.outcome.num_stream_kills:
            raise ProofError(f"copied too often:\n{self._errors()}")


def main() -> int:
    """Run; return 1 if a table differs."""
    arguments = run_parser("tests.exactly_once.replica_failover", __doc__, SERVERS).parse_args()

    def run(name: str, seed: int) -> Outcome:
        return ReplicaFailover(arguments.servers.resolve(), name, seed).run(arguments.kills)

    return do_runs(arguments.seeds, arguments.only, SERVERS, run)


if __name__ == "__main__":
    raise SystemExit(main())
