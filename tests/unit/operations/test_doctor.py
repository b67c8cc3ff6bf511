"""The command `doctor` says what logs mean for a reader; `tests/live/test_doctor` has servers."""

import json
from pathlib import Path

import pytest

from pyspark_adapter.cli.main import main
from tests.inputs import sample_path

Output = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("sample", "code", "settings"),
    [
        ("mysql-9.7-shop", 0, []),
        ("mysql-9.7-statement", 1, ["statements instead of rows: "]),
        ("mysql-9.7-no-checksum", 0, ["mysql-9.7-no-checksum.000001: no checksums"]),
        ("mysql-9.7-encrypted", 1, ["mysql-9.7-encrypted.000001"]),
        ("mysql-9.7-minimal-image", 0, ["tables without a known primary key: "]),
    ],
)
def test_logs_say_what_they_tell(
    sample: str, code: int, settings: list[str], capsys: Output
) -> None:
    assert main(["doctor", str(sample_path(sample)), "--format", "jsonl"]) == code
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(one["is_wrong"] for one in found) == bool(code)
    assert len(found) == len(settings), found
    for one, setting in zip(found, settings, strict=True):
        assert one["setting"].startswith(setting)
        assert one["meaning"]
        assert one["remedy"]


def test_findings_name_flags_and_the_rest_is_read(tmp_path: Path, capsys: Output) -> None:
    paths = [str(sample_path(name)) for name in ("mysql-9.7-encrypted", "mysql-9.7-statement")]
    assert main(["doctor", *paths]) == 1
    shown = capsys.readouterr()
    assert "-> give the path of the server's key file in --keyring" in shown.out
    assert "statements instead of rows: statement97." in shown.out
    assert shown.err == "rows are wrong or missing: 2; notes: 0\n"
    log = tmp_path / "binlog.000001"
    log.write_bytes(sample_path("mysql-9.7-shop").read_bytes()[:-700])
    assert main(["doctor", str(log)]) == 1
    assert "wrong  damage\n" in capsys.readouterr().out
