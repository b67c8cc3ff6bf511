"""Encrypted logs: the rows of the plain log at the same positions, from any event and in archives.

The logs are encrypted by `tests/support/encryption.py`; `tests/live/test_encrypted_logs.py` reads
those of servers.
"""

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import (
    BinlogError,
    CorruptEventError,
    OptionError,
    TruncatedEventError,
    UnsupportedError,
    list_tables,
    read_batches,
)
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.sources.encrypted_events import find_event_cipher
from pyspark_adapter.sources.keyring import Keyring, read_keyring
from pyspark_adapter.sources.log_file import open_log
from tests.inputs import sample_path
from tests.support.encryption import (
    EVENT_KEY,
    KEY_NAME,
    MASTER_KEY,
    MYSQL_HEADER,
    component_keyring,
    encrypt_as_mariadb,
    encrypt_as_mysql,
    mariadb_keyring,
    plugin_keyring,
    with_password,
)
from tests.support.splits import SplitLog
from tests.support.streams import FollowedStream, rows_of

SAMPLE = "mysql-9.7-shop"
MARIADB_SAMPLE = "mariadb-11.8-transactions"
SECRETS = (MASTER_KEY, EVENT_KEY)

# The plain log, the encrypted one, and the key file.
Case = tuple[bytes, bytes, bytes]


def of_mysql() -> Case:
    plain = sample_path(SAMPLE).read_bytes()
    return plain, encrypt_as_mysql(plain), component_keyring()


def of_mariadb(mode: str) -> Case:
    log = sample_path(MARIADB_SAMPLE).read_bytes()
    return encrypt_as_mariadb(log, "none"), encrypt_as_mariadb(log, mode), mariadb_keyring()


CASES: dict[str, Callable[[], Case]] = {
    "mysql": of_mysql,
    "mariadb-cbc": lambda: of_mariadb("cbc"),
    "mariadb-ctr": lambda: of_mariadb("ctr"),
}
each = pytest.mark.parametrize("name", CASES)


def write(folder: Path, case: Case) -> tuple[Path, Path, Path]:
    """Write the plain log, the encrypted one and the key file; return their paths."""
    paths = []
    for name, data in zip(("plain", "encrypted", "keys"), case, strict=True):
        (folder / name).mkdir()
        path = folder / name / ("binlog.000001" if name != "keys" else "keyring")
        path.write_bytes(data)
        paths.append(path)
    plain, encrypted, keys = paths
    return plain, encrypted, keys


def rows(path: Path, **options: Any) -> list[dict[str, Any]]:
    read = read_batches(path, metadata_columns=tuple(METADATA_BY_NAME), **options)
    return [row for batch in read for row in batch.to_pylist()]


@each
def test_rows_are_those_of_the_plain_log(tmp_path: Path, name: str) -> None:
    plain, encrypted, keys = write(tmp_path, CASES[name]())
    expected = rows(plain)
    assert expected
    assert rows(encrypted, keyring=keys) == expected


@each
def test_events_and_tables_are_those_of_the_plain_log(tmp_path: Path, name: str) -> None:
    plain, encrypted, keys = write(tmp_path, CASES[name]())
    expected = [(t.table, t.num_changes) for t in list_tables(plain)]
    assert [(t.table, t.num_changes) for t in list_tables(encrypted, keyring=keys)] == expected
    events = list(read_batches(plain, view="events"))
    found = list(read_batches(encrypted, view="events", keyring=keys))
    assert [batch.to_pylist() for batch in found] == [batch.to_pylist() for batch in events]


@each
def test_any_event_can_be_the_start(tmp_path: Path, name: str) -> None:
    case = CASES[name]()
    _, encrypted, keys = write(tmp_path, case)
    [log_file] = find_log_files(encrypted, BinlogOptions(keyring=str(keys)))
    assert log_file.num_bytes == len(case[0])
    log_file = pickle.loads(pickle.dumps(log_file))  # noqa: S301  # as Spark's tasks get it
    position = 4
    while position < len(case[0]):
        opened = open_log(log_file)
        assert opened.seek(position) == position
        for size in (1, 18, 19, 36, 37, 200):  # also across the ends of events
            buffer = bytearray(size)
            count = opened.readinto(memoryview(buffer)) or 0
            assert buffer[:count] == case[0][opened.tell() - count : opened.tell()]
        opened.close()
        position += int.from_bytes(case[0][position + 9 : position + 13], "little")


@each
def test_encrypted_log_in_an_archive(tmp_path: Path, name: str) -> None:
    plain, encrypted, keys = write(tmp_path, CASES[name]())
    archive = tmp_path / "archives" / "binlog.000001.gz"
    archive.parent.mkdir()
    archive.write_bytes(gzip.compress(encrypted.read_bytes()))
    for path in (archive, archive.parent):
        assert rows(path, keyring=keys) == rows(plain)


@each
def test_plain_and_encrypted_logs_of_one_server(tmp_path: Path, name: str) -> None:
    plain, encrypted, keys = write(tmp_path, CASES[name]())
    (encrypted.parent / "binlog.000002").write_bytes(sample_path(SAMPLE).read_bytes())
    found = rows(encrypted.parent, keyring=keys)
    assert len(found) == len(rows(plain)) + len(rows(sample_path(SAMPLE)))


@each
def test_splits_give_the_rows_of_the_whole(tmp_path: Path, name: str) -> None:
    plain, encrypted, keys = write(tmp_path, CASES[name]())
    log = SplitLog(encrypted, keyring=str(keys))
    splits = log.splits(1000)
    assert len(splits) > 2
    assert log.read(splits) == log.whole() == SplitLog(plain).whole()


@each
def test_a_stream_follows_a_log_from_its_first_byte(tmp_path: Path, name: str) -> None:
    case = CASES[name]()
    plain, encrypted, keys = write(tmp_path, case)
    next_plain = plain.with_name("binlog.000002")
    next_encrypted = encrypted.with_name("binlog.000002")
    next_plain.write_bytes(case[0])
    stream = FollowedStream(encrypted.parent, keyring=str(keys), starting_offsets="earliest")
    for end in [*range(0, 900, 60), *range(900, len(case[1]), 2000), len(case[1])]:
        next_encrypted.write_bytes(case[1][:end])
        stream.poll()
    assert stream.rows == rows_of(plain, next_plain)


def test_logs_without_checksums(tmp_path: Path) -> None:
    log = sample_path("mysql-9.7-no-checksum").read_bytes()
    plain, encrypted, keys = write(
        tmp_path,
        (encrypt_as_mariadb(log, "none"), encrypt_as_mariadb(log, "cbc"), mariadb_keyring()),
    )
    assert rows(encrypted, keyring=keys) == rows(plain)


@each
def test_a_cut_log_gives_the_rows_before_the_cut(tmp_path: Path, name: str) -> None:
    case = CASES[name]()
    plain, encrypted, keys = write(tmp_path, case)
    extra = len(case[1]) - len(case[0])
    for cut in (300, len(case[0]) // 2, len(case[0]) - 3):
        plain.write_bytes(case[0][:cut])
        encrypted.write_bytes(case[1][: cut + extra])
        outcomes = []
        read: tuple[tuple[Path, dict[str, Any]], ...]
        read = ((plain, {}), (encrypted, {"keyring": keys}))
        for path, options in read:
            found: list[dict[str, Any]] = []
            error = None
            try:
                for batch in read_batches(path, **options):
                    found += batch.to_pylist()
            except BinlogError as raised:
                error = raised
            outcomes.append((found, type(error)))
        assert outcomes[0] == outcomes[1]
    assert outcomes[0][1] is TruncatedEventError  # at the last cut


@each
def test_without_a_keyring_the_error_names_the_option(tmp_path: Path, name: str) -> None:
    _, encrypted, _ = write(tmp_path, CASES[name]())
    with pytest.raises(UnsupportedError, match=r"binlog\.000001.*option keyring"):
        rows(encrypted)


@pytest.mark.parametrize(
    ("name", "keyring", "message"),
    [
        ("mysql", component_keyring(name="other"), rf"the key {KEY_NAME}, .* has 2 other keys"),
        ("mysql", mariadb_keyring(), rf"the key {KEY_NAME}, .* has 2 other keys"),
        ("mysql", component_keyring(bytes(32)), "that of another server"),
        ("mysql", component_keyring(bytes(5)), "that of another server"),
        ("mariadb-cbc", b"2;" + b"00" * 16, "the key 1, .* has 1 other key"),
        ("mariadb-cbc", mariadb_keyring(bytes(16)), "that of another server"),
        ("mariadb-ctr", mariadb_keyring(bytes(32)), "that of another server"),
        ("mysql", b'{"elements": [{"data": "zz"}]}', "JSON with `elements`"),
        ("mysql", b"{" * 100_000, "JSON with `elements`"),
        ("mysql", b"\0\1\2", "line 1 of .* is another"),
        ("mysql", b"1;" + b"ab" * 15, "line 1 of .* is another"),
        ("mysql", plugin_keyring()[:60], "which ends at byte 60"),
        ("mysql", b"Keyring file version:1.0" + b"\xff" * 80, "the one at byte 24 does not"),
        ("mysql", b"Keyring file version:1.0" + bytes(80), "the one at byte 24 does not"),
        ("mysql", b"#" * (2 << 20), "at most 1048576 bytes"),
    ],
)
def test_a_wrong_or_missing_key_is_a_clear_error(
    tmp_path: Path, name: str, keyring: bytes, message: str
) -> None:
    plain, encrypted, _ = CASES[name]()
    _, log, keys = write(tmp_path, (plain, encrypted, keyring))
    with pytest.raises(OptionError, match=message) as raised:
        rows(log, keyring=keys)
    assert "option keyring: expected " in str(raised.value)
    assert not any(key.hex() in str(raised.value) for key in SECRETS)


def test_key_file_of_the_old_plugin(tmp_path: Path) -> None:
    plain, encrypted, _ = of_mysql()
    paths = write(tmp_path, (plain, encrypted, plugin_keyring()))
    assert rows(paths[1], keyring=paths[2]) == rows(paths[0])


@pytest.mark.parametrize("digest", ["sha1", "sha256", "sha512"])
def test_key_file_with_a_password(tmp_path: Path, digest: str) -> None:
    secret = tmp_path / "password"
    secret.write_text("pass word\n")
    plain, encrypted, keyring = of_mariadb("cbc")
    packed = with_password(keyring, b"pass word", digest)
    paths = write(tmp_path, (plain, encrypted, packed))
    for password in ("pass word", f"FILE:{secret}"):
        assert rows(paths[1], keyring=paths[2], keyring_password=password) == rows(paths[0])
    for options in ({}, {"keyring_password": "another"}):
        with pytest.raises(OptionError, match="keyring_password: expected the password"):
            rows(paths[1], keyring=paths[2], **options)


def test_a_password_for_a_file_without_one_is_an_error(tmp_path: Path) -> None:
    paths = write(tmp_path, of_mysql())
    with pytest.raises(OptionError, match="is not encrypted with a password"):
        rows(paths[1], keyring=paths[2], keyring_password="x")  # noqa: S106
    with pytest.raises(OptionError, match="without option keyring") as raised:
        rows(paths[0], keyring_password="secret words")  # noqa: S106
    assert "secret words" not in str(raised.value)


@pytest.mark.parametrize(
    ("offset", "data", "error"),
    [
        (4, b"\2", UnsupportedError),
        (5, b"\0", CorruptEventError),
        (5, b"\7", CorruptEventError),
        (6, b"\xff", CorruptEventError),  # a longer name of the key
        (8, b"\xff", OptionError),
    ],
)
def test_a_damaged_header_is_an_error(
    tmp_path: Path, offset: int, data: bytes, error: type[BinlogError]
) -> None:
    plain, encrypted, keyring = of_mysql()
    damaged = encrypted[:offset] + data + encrypted[offset + 1 :]
    _, log, keys = write(tmp_path, (plain, damaged, keyring))
    with pytest.raises(error, match=r"binlog\.000001"):
        rows(log, keyring=keys)


@pytest.mark.parametrize("mode", ["cbc", "ctr"])
@pytest.mark.parametrize("length", [0, 4, 13, 18])
def test_a_first_encrypted_event_of_a_bad_length_is_an_error(
    tmp_path: Path, mode: str, length: int
) -> None:
    plain, encrypted, keyring = of_mariadb(mode)
    cipher = find_event_cipher(encrypted, Keyring("keys", by_id={1: EVENT_KEY}))
    assert cipher is not None
    place = len(cipher.clear) + 9
    damaged = encrypted[:place] + length.to_bytes(4, "little") + encrypted[place + 4 :]
    _, log, keys = write(tmp_path, (plain, damaged, keyring))
    with pytest.raises(CorruptEventError, match=rf"binlog\.000001@{place - 9} .* length"):
        rows(log, keyring=keys)


def test_a_cut_header_is_an_error(tmp_path: Path) -> None:
    _, log, keys = write(tmp_path, (b"", encrypt_as_mysql(b"")[: MYSQL_HEADER - 1], of_mysql()[2]))
    with pytest.raises(TruncatedEventError, match="an encryption header of 512 bytes, found 511"):
        rows(log, keyring=keys)


def test_keys_are_in_no_text(tmp_path: Path) -> None:
    for case in CASES.values():
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        _, encrypted, keys = write(folder, case())
        options = BinlogOptions(keyring=str(keys))
        [log_file] = find_log_files(encrypted, options)
        texts = [repr(log_file), repr(log_file.cipher), repr(options)]
        texts.append(repr(read_keyring(str(keys), None)))
        for text in texts:
            assert not any(key.hex() in text or repr(key)[2:20] in text for key in SECRETS)
    options = BinlogOptions(keyring="k", keyring_password="pw")  # noqa: S106
    assert "pw" not in repr(options)
