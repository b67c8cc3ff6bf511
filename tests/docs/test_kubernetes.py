"""The image and the settings of the guide to Kubernetes, as far as they can be tried without it."""

import os
import re
import sys
import tomllib
import zipfile
from pathlib import Path

import pyspark

from tests.inputs import ROOT
from tests.support.programs import captured

DOCKERFILE = (ROOT / "examples/kubernetes/Dockerfile").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs/guides/kubernetes.md").read_text(encoding="utf-8")
# What the steps may not do here: each stand-in prints how it was called.
STAND_INS = ("apt-get", "pip", "useradd", "chown", "mkdir", "rm")
OF_SPARK = "org/apache/spark/deploy/k8s/Config$.class"


def steps(kind: str) -> list[str]:
    """Return the instructions of a kind, each in one line."""
    lines = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", DOCKERFILE)).splitlines()
    return [line.removeprefix(f"{kind} ") for line in lines if line.startswith(f"{kind} ")]


def test_the_steps_of_the_image_run(tmp_path: Path) -> None:
    for name in STAND_INS:
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} "$@"\n')
        (tmp_path / name).chmod(0o755)
    (tmp_path / "mysql_binlog_spark-9-py3-none-any.whl").touch()
    path = f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    said = ""
    for step in steps("RUN"):
        script = step.replace("/opt/wheels/", f"{tmp_path}/")
        done = captured(["/bin/sh", "-euc", script], env=os.environ | {"PATH": path})
        assert done.returncode == 0, done.stderr
        said += done.stdout + done.stderr
    assert "useradd --uid 185" in said
    [installed] = re.findall(r"pip install .*spark-9-py3-none-any\.whl\[(.*)\]", said)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {*installed.split(",")} <= extras["optional-dependencies"].keys()
    assert steps("USER") == ["185"]


def test_spark_knows_the_settings_of_the_guide() -> None:
    [jar] = Path(pyspark.__file__).parent.glob("jars/spark-kubernetes_*.jar")
    known = zipfile.ZipFile(jar).read(OF_SPARK).decode("latin-1")
    given = re.findall(r"spark\.kubernetes\.[\w.]+(?==)", GUIDE)
    assert len(given) == 8
    for name in given:
        # The rest of the others is of the user: names of variables, secrets and volumes.
        prefix = re.sub(r"(\.(?:secretKeyRef|secrets|volumes)\.).*", r"\1", name)
        prefix = prefix.removesuffix(".serviceAccountName")
        assert prefix in known, name
