"""Debezium's messages in Kafka, while the program that writes them is killed.

Each change is there, in the order of its topic, and once without the doubles that headers show.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pytest

from tests.exactly_once import kafka_program
from tests.exactly_once.checkpoint import count_batches
from tests.exactly_once.processes import end_program
from tests.exactly_once.shop_load import TABLES, Load
from tests.inputs import ROOT
from tests.live.servers import running_server
from tests.live.servers.instance import free_port

pytestmark = [
    *(pytest.mark.live, pytest.mark.spark, pytest.mark.slow),
    pytest.mark.skipif(shutil.which("mvn") is None, reason="Kafka comes through Maven"),
]

POM: Final = """<project><modelVersion>4.0.0</modelVersion><groupId>tests</groupId>
<artifactId>kafka</artifactId><version>0</version><dependencies>{}</dependencies></project>"""
ARTIFACTS: Final = {
    "broker": ["org.apache.kafka:kafka_2.13:4.1.1", "org.slf4j:slf4j-nop:2.0.17"],
    "sink": [
        "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",  # the newest; Spark 4.3 takes it
        "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.2.0",
        "org.apache.commons:commons-pool2:2.12.1",
    ],
}


def fetch(folder: Path) -> None:
    """Bring the broker with all that it needs, and the connector alone, from Maven."""
    for name, artifacts in ARTIFACTS.items():
        (folder / name).mkdir(parents=True)
        parts = ["groupId", "artifactId", "version"]
        listed = [zip(parts, artifact.split(":"), strict=True) for artifact in artifacts]
        shown = ["".join(f"<{k}>{v}</{k}>" for k, v in pairs) for pairs in listed]
        pom = folder / name / "pom.xml"
        pom.write_text(POM.format("".join(f"<dependency>{text}</dependency>" for text in shown)))
        command = ["mvn", "--batch-mode", "--quiet", "-f", str(pom), "dependency:copy-dependencies"]
        only = [] if name == "broker" else ["-DexcludeTransitive=true"]
        subprocess.run([*command, *only, f"-DoutputDirectory={folder / name}"], check=True)


@contextmanager
def running_broker(folder: Path) -> Iterator[str]:
    """Run a broker; give its address."""
    ports = (free_port(), free_port())
    listeners = [f"{n}://127.0.0.1:{p}" for n, p in zip(("PLAIN", "CONTROL"), ports, strict=True)]
    settings = {
        "process.roles": "broker,controller",
        "node.id": 1,
        "controller.quorum.voters": f"1@127.0.0.1:{ports[1]}",
        "listeners": ",".join(listeners),
        "controller.listener.names": "CONTROL",
        "inter.broker.listener.name": "PLAIN",
        "listener.security.protocol.map": "PLAIN:PLAINTEXT,CONTROL:PLAINTEXT",
        "log.dirs": folder / "logs",
    }
    file = folder / "server.properties"
    file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    java = ["java", "-Xmx512m", "-cp", f"{folder}/broker/*"]
    format_ = ["kafka.tools.StorageTool", "format", "-t", "abcdefghijklmnopqrstuv", "-c", str(file)]
    subprocess.run([*java, *format_], check=True, capture_output=True)
    with (folder / "broker.log").open("wb") as log:
        broker = subprocess.Popen([*java, "kafka.Kafka", str(file)], stdout=log, stderr=log)
    try:
        yield f"127.0.0.1:{ports[0]}"
    finally:
        broker.kill()
        broker.wait()


def check(messages: list[dict[str, Any]], load: Load) -> int:
    """Check messages in the order of their topics; return how many are doubles."""
    seen: set[tuple[Any, ...]] = set()
    counts: Counter[str] = Counter()
    tables: dict[str, dict[str, Any]] = {table: {} for table in TABLES}
    places: dict[str, tuple[int, int]] = {}
    for message in messages:
        headers = {header["key"]: header["value"] for header in message["headers"]}
        place = (int(headers["_commit_version"]), int(headers["_row_number"]))
        value = message["value"] and json.loads(message["value"])
        operation = value["op"] if value else "tombstone"
        change = (place, message["key"], operation)
        if change in seen:
            continue
        seen.add(change)
        counts[operation] += 1
        topic, table = message["topic"], message["topic"].rpartition(".")[2]
        assert places.setdefault(topic, place) <= place
        places[topic] = place
        if value is None or operation == "d":
            tables[table].pop(message["key"], None)
        else:
            tables[table][message["key"]] = value["after"]
    assert counts == {**load.expected, "tombstone": load.expected["d"]}
    for table, rows in tables.items():
        assert sorted(list(row.values()) for row in rows.values()) == load.rows(table)
    return len(messages) - len(seen)


@pytest.mark.parametrize("num_kills", [1, pytest.param(30, id="long")])
def test_changes_are_in_kafka_once(num_kills: int, servers_folder: Path, tmp_path: Path) -> None:
    fetch(tmp_path)
    jars = ",".join(
        map(str, [*tmp_path.glob("sink/*.jar"), *tmp_path.glob("broker/*clients*.jar")])
    )
    chance = random.Random(num_kills)  # noqa: S311
    with (
        running_server(servers_folder, "mysql-latest", "kafka") as state,
        running_broker(tmp_path) as broker,
        (tmp_path / "program.log").open("wb") as log,
        closing(Load(state)) as load,
    ):
        server = {"host": state.host, "port": str(state.port), "user": "root"}
        options = json.dumps({**server, "password": state.password, "maxBytesPerTrigger": "200k"})
        checkpoint = tmp_path / "checkpoint"
        command = [sys.executable, "-m", kafka_program.__name__, jars, broker, str(checkpoint)]
        load.start()
        for _ in range(num_kills):
            batches = count_batches(checkpoint)
            program = subprocess.Popen(
                [*command, options], cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )
            while count_batches(checkpoint) == batches and program.poll() is None:
                time.sleep(0.05)
            time.sleep(chance.uniform(0, 1.5))
            assert program.poll() is None, (tmp_path / "program.log").read_text()[-3000:]
            end_program(program)
        load.stop()
        target = tmp_path / "messages.arrow"
        subprocess.run([*command, options, str(target)], cwd=ROOT, check=True, capture_output=True)
        with pa.OSFile(str(target), "rb") as file:
            messages = pa.ipc.open_file(file).read_all().to_pylist()
        assert check(messages, load) > 0 or num_kills < 30
