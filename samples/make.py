"""Make samples again: run their SQL on fresh servers and keep the logs, texts and tables.

Every sample is independent of the others; the manifest's other entries stay as they are.
"""

import argparse
import gzip
import sys
from collections.abc import Sequence
from pathlib import Path

from samples.capture import ScriptError, capture
from samples.catalog import SAMPLES
from samples.manifest import SampleError, build_entry, read_manifest, write_manifest
from samples.readme import write_table
from samples.sample import GOLDEN_FOLDER, Sample
from samples.truth import render_tables
from tests.live.servers import ServerError

MAX_SAMPLE = 400 * 1024
GZIP_ABOVE = 64 * 1024


def store_text(text: bytes, path: Path) -> None:
    """Store the tool's text, packed if the name says so, in place of one with another name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix in (".txt", ".txt.gz"):
        (path.parent / (path.name.removesuffix(".gz").removesuffix(".txt") + suffix)).unlink(
            missing_ok=True
        )
    path.write_bytes(gzip.compress(text, 9, mtime=0) if path.suffix == ".gz" else text)


def make_sample(sample: Sample, servers: Path) -> str:
    """Make one sample and return a line that says what it is.

    Raises:
        SampleError: The log is too large, or does not agree with its text and tables.
        ScriptError: The server refused a statement of the sample.
        ServerError: A server or tool failed.
    """
    captured = capture(sample, servers)
    if len(captured.log) > MAX_SAMPLE:
        raise SampleError(f"{sample.name}: {len(captured.log)} bytes are too many: write less")
    if str(servers).encode() in captured.log + captured.tool_text:
        raise SampleError(f"{sample.name}: a path of this machine is in the log: use relative ones")
    packed = len(captured.tool_text) > GZIP_ABOVE
    golden = GOLDEN_FOLDER / f"{sample.name}.txt{'.gz' if packed else ''}"
    entry = build_entry(sample, captured, golden)

    for path in (sample.path, sample.expected):
        path.parent.mkdir(parents=True, exist_ok=True)
    sample.path.write_bytes(captured.log)
    sample.expected.write_text(render_tables(captured.tables), encoding="utf-8")
    store_text(captured.tool_text, golden)
    others = [other for other in read_manifest() if other["name"] != sample.name]
    write_manifest([*others, entry], [known.name for known in SAMPLES])
    write_table(read_manifest())
    num_changes = sum(sum(changes.values()) for changes in entry["row_changes"].values())
    return f"{sample.file}: {len(captured.log)} bytes, {num_changes} row changes"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m samples.make", description=__doc__)
    names = [sample.name for sample in SAMPLES]
    parser.add_argument("names", nargs="*", metavar="NAME", help="samples to make (default: all)")
    parser.add_argument(
        "--servers-dir",
        type=lambda text: Path(text).resolve(),
        required=True,
        help="work folder of the servers, outside the checkout or ignored by it",
    )
    args = parser.parse_args(argv)
    if unknown := sorted(set(args.names) - set(names)):
        parser.error(f"no sample is called {', '.join(unknown)}; there are {', '.join(names)}")
    for sample in SAMPLES:
        if sample.name in (args.names or names):
            try:
                sys.stdout.write(make_sample(sample, args.servers_dir) + "\n")
                sys.stdout.flush()
            except (SampleError, ScriptError, ServerError) as error:
                sys.stderr.write(f"make: {error}\n")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
