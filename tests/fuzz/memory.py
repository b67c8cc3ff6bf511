"""The most memory of a process that reads samples and corpus: `python -m tests.fuzz.memory`.

Each log is read as changes, typed and as events. Logs given as arguments are read
instead.
"""

import sys
from pathlib import Path

from pyspark_adapter import BinlogError
from pyspark_adapter.find_logs import find_log_files
from tests.fuzz import reads
from tests.fuzz.campaign import peak_kilobytes
from tests.fuzz.kinds import quiet
from tests.inputs import CORPUS, SAMPLES, corpus_entries, sample_path


def main(paths: list[Path]) -> None:
    """Read logs and print the peak."""
    num_bytes = 0
    for path in paths:
        with quiet():
            try:
                [log_file] = find_log_files(path)
            except BinlogError:
                continue  # encrypted, or an archive that is damaged
            num_bytes += log_file.num_bytes
            for options in (reads.CHANGES, reads.VERIFIED, reads.EVENTS):
                reads.read_twice(log_file, options)
            reads.read_first_table(log_file)
    print(  # noqa: T201
        f"{len(paths)} logs, {num_bytes / 1e6:.1f} MB, peak memory {peak_kilobytes() // 1024} MiB"
    )


if __name__ == "__main__":
    given = [Path(path) for path in sys.argv[1:]]
    corpus = [CORPUS / entry["file"] for entry in corpus_entries()]
    main(given or [*map(sample_path, SAMPLES), *corpus])
