"""Whether the tests catch faults made by hand: `python tools/mutants.py [FILE...]`.

Each fault of `tests/mutants.toml` is made in a copy of the checkout, and its tests have to fail
there. Ends with 1 if one is not caught.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "pyspark_adapter"


def main(chosen: list[str]) -> int:
    """Try the mutants of some files, or all; return the exit code."""
    mutants = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        left_out = shutil.ignore_patterns(".git", ".venv*", "node_modules", ".servers", "_build")
        shutil.copytree(ROOT, copy, ignore=left_out, symlinks=True)
        servers = os.environ.get("BINLOG_SERVERS", str(ROOT / ".servers"))
        environment = {**os.environ, "BINLOG_SERVERS": str(Path(servers).resolve())}
        for mutant in mutants:
            if chosen and mutant["file"] not in chosen:
                continue
            path = copy / PACKAGE / mutant["file"]
            text = path.read_text(encoding="utf-8")
            if text.count(mutant["old"]) != 1:
                raise SystemExit(f"{mutant['file']}: expected {mutant['old']!r} once")
            path.write_text(text.replace(mutant["old"], mutant["new"]), encoding="utf-8")
            start = time.monotonic()
            options = ["-q", "-x", "-m", "not nightly", "-p", "no:cacheprovider"]
            command = [sys.executable, "-m", "pytest", *options, *mutant["tests"].split()]
            done = subprocess.run(  # noqa: S603 - our own tests
                command, cwd=copy, env=environment, capture_output=True, text=True, check=False
            )
            path.write_text(text, encoding="utf-8")
            failed = [
                line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))
            ]
            missed += not failed
            shown = failed[0].split(" - ")[0] if failed else f"NOT CAUGHT ({done.returncode})"
            line = f"{mutant['file']:34}{time.monotonic() - start:6.0f} s  {shown}\n"
            sys.stdout.write(line)
            sys.stdout.flush()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
