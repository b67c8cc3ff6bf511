"""The wheel of this checkout, and Pythons that have what it needs and not the checkout itself."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from tests.inputs import ROOT
from tests.support.programs import captured

TIMEOUT_SECONDS = 500  # less than a test may take, so that what was printed is shown

# What of the environment is left: nothing that names the checkout.
_KEEP = frozenset({"PATH", "JAVA_HOME", "LANG", "LC_ALL", "SPARK_SUBMIT_OPTS"})


def finish(
    *command: str, cwd: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command that succeeds, and return what it printed and warned."""
    done = captured(command, cwd=cwd, env=environment, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def run(*command: str, cwd: Path, environment: dict[str, str] | None = None) -> str:
    """Run a command and return what it prints."""
    return finish(*command, cwd=cwd, environment=environment).stdout


def build_wheel(folder: Path) -> Path:
    """Build the wheel and the source distribution of this checkout into a folder.

    The wheel takes the libraries of kernels that are there. `test_wheel` builds one from the
    source distribution, which makes them.
    """
    build = ("-m", "build", "--no-isolation", "--wheel", "--sdist", "--outdir")
    run(sys.executable, *build, str(folder), str(ROOT), cwd=folder)
    [path] = folder.glob("*.whl")
    return path


def make_bare_python(folder: Path) -> Path:
    """Make an environment with our dependencies and without this package; return its `python`."""
    venv.create(folder, with_pip=False)
    [site_packages] = folder.glob("lib/*/site-packages")
    # A .pth file in a folder named so is not read, and so not the editable install of the checkout.
    (site_packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return folder / "bin" / "python"


def bare_environment(**more: str) -> dict[str, str]:
    """Return environment variables of a process that has to know nothing of the checkout."""
    return {key: value for key, value in os.environ.items() if key in _KEEP} | more
