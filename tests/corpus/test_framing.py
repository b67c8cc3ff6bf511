"""Where the events of the corpus begin and end, and how its damaged logs do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from kaitaistruct import EndOfStreamError, KaitaiStructError
from mysql_binlog import MysqlBinlog

from tests.corpus.logs import DAMAGED_AT, Log, corpus_log
from tests.inputs import CORPUS, SAMPLES, corpus_entries, need_corpus, sample_path

# Where the manifest's name of a type is not the schema's with a capital.
MANIFEST_NAMES = {"mariadb_gtid": "Gtid_mariadb"}
NAME_BY_CODE = {event_type.value: event_type.name for event_type in MysqlBinlog.EventType}
# A file of one header that is cut.
WITHOUT_EVENTS = "std_data__binlog_truncated_event.000001"


def is_ciphertext(event: Any) -> bool:
    """Return whether an event is shown as encrypted, with nothing that was read from ciphertext."""
    fields = {"timestamp", "event_type", "server_id", "end_log_pos", "flags"}
    return (
        isinstance(event.body, MysqlBinlog.EncryptedEvent)
        and fields.isdisjoint(vars(event))
        and len(event.body.start) + 4 + len(event.body.ciphertext) == event.len_event
    )


def entries() -> list[dict[str, Any]]:
    """Return the manifest of the corpus."""
    need_corpus()
    return corpus_entries()


def read_log(entry: dict[str, Any]) -> tuple[Log, bytes, MysqlBinlog]:
    """Return a log up to where it is damaged, as bytes and parsed."""
    log = corpus_log(entry)
    return log, log.content, MysqlBinlog.from_bytes(log.content)


def manifest_name(event: Any) -> str:
    """Return the manifest's name of an event's type."""
    if event.event_type not in NAME_BY_CODE:
        return f"type_{event.event_type}"
    name: str = NAME_BY_CODE[event.event_type]
    return MANIFEST_NAMES.get(name, name.capitalize())


def test_types_are_those_of_the_manifest() -> None:
    num_events = 0
    for entry in entries():
        log, _, root = read_log(entry)
        if log.name in (*DAMAGED_AT, WITHOUT_EVENTS) or "encrypted" in entry["labels"]:
            continue
        counts = Counter(manifest_name(event) for event in root.events)
        assert counts == entry["events"], log.name
        num_events += counts.total()
    assert num_events > 40_000


def test_every_byte_belongs_to_an_event() -> None:
    for entry in entries():
        log, content, root = read_log(entry)
        length = sum(event.len_event for event in root.events)
        assert len(root.magic) + length + len(root.trailing) == len(content), log.name


def test_every_known_type_has_fields() -> None:
    num_raw = 0
    for entry in entries():
        log, _, root = read_log(entry)
        for event in root.events:
            is_known = isinstance(event.frame.event_type, MysqlBinlog.EventType)
            is_typed = not isinstance(event.body, bytes)
            assert is_typed == (is_known or event.frame.is_encrypted), (log.name, event.ofs_event)
            num_raw += not is_typed
    assert num_raw < 20


def test_relay_logs_have_their_own_events_and_those_of_the_source() -> None:
    for entry in entries():
        log, _, root = read_log(entry)
        events = [e for e in root.events if not e.frame.is_encrypted]
        flagged = sum(getattr(event.frame.flag_bits, "is_relay_log", False) for event in events)
        if log.name not in DAMAGED_AT:
            assert flagged == entry["relay_events"], log.name


def test_in_use_and_versions_are_those_of_the_manifest() -> None:
    for entry in entries():
        log, _, root = read_log(entry)
        if log.name == WITHOUT_EVENTS:
            continue
        first = root.events[0]
        assert first.body.server_version.decode() == entry["server_version"], log.name
        assert first.body.binlog_version == entry["binlog_version"], log.name
        assert getattr(first.frame.flag_bits, "is_in_use", False) == bool(entry["in_use"]), log.name
        assert first.body.len_checksum == {"crc32": 4}.get(entry["checksum"], 0), log.name


def test_codes_of_a_development_tree_mean_other_types() -> None:
    name = "suite__binlog__std_data__ver_5_1-wl2325_r.001"
    (entry,) = (e for e in entries() if Path(e["file"]).name == name)
    _, _, root = read_log(entry)
    found = [
        event.frame.event_type.name for event in root.events if event.event_type in range(16, 23)
    ]
    changes = ("write_rows_v0", "update_rows_v0", "delete_rows_v0")
    assert [name for name in found if name in changes] == list(changes)
    assert found.count("table_map") == len(changes)


def test_file_cut_in_its_first_header_has_no_events() -> None:
    (entry,) = (e for e in entries() if Path(e["file"]).name == WITHOUT_EVENTS)
    _, content, root = read_log(entry)
    assert root.events == []
    assert root.trailing == content[4:]


def test_events_that_mariadb_encrypted_are_ciphertext() -> None:
    (entry,) = (e for e in entries() if "encrypted" in e["labels"])
    _, _, root = read_log(entry)
    assert [event.frame.is_encrypted for event in root.events[:2]] == [False, False]
    behind = root.events[2:]
    assert behind
    assert all(event.frame.is_encrypted and is_ciphertext(event) for event in behind)


@pytest.mark.parametrize("name", DAMAGED_AT)
def test_fields_that_do_not_fit_cost_their_event_alone(name: str) -> None:
    (entry,) = (e for e in entries() if Path(e["file"]).name == name)
    root = MysqlBinlog.from_bytes((CORPUS / entry["file"]).read_bytes())
    before = [event for event in root.events if event.ofs_event < DAMAGED_AT[name]]
    assert all(event.body is not None for event in before)
    with pytest.raises(EndOfStreamError):
        _ = root.events[len(before)].body


def test_log_that_mysql_encrypted_is_refused() -> None:
    with pytest.raises(KaitaiStructError):
        MysqlBinlog.from_bytes(sample_path("mysql-9.7-encrypted").read_bytes())


@pytest.mark.parametrize("name", ["mysql-9.7-shop", "mariadb-11.8-transactions"])
def test_log_that_is_cut_anywhere_ends_there(name: str) -> None:
    content = sample_path(name).read_bytes()[:3000]
    whole = MysqlBinlog.from_bytes(content)
    for length in range(4, len(content), 7):
        root = MysqlBinlog.from_bytes(content[:length])
        events = root.events
        cut = [index for index, event in enumerate(events) if event.frame.is_truncated]
        assert cut in ([], [len(events) - 1])
        for event, other in zip(events[: len(events) - len(cut)], whole.events, strict=False):
            assert (event.event_type, event.len_event) == (other.event_type, other.len_event)
        if cut:
            assert isinstance(events[-1].body, bytes)
            assert root.trailing == b""
        ends = sum(event.len_event for event in events if not event.frame.is_truncated) + 4
        assert bool(cut) == (length - ends >= 19)
        if not cut:
            assert len(root.trailing) == length - ends


def test_samples_that_mariadb_encrypted_have_ciphertext() -> None:
    name = "mariadb-11.8-encrypted"
    assert SAMPLES[name]["encrypted"]
    root = MysqlBinlog.from_bytes(sample_path(name).read_bytes())
    assert not any(event.frame.is_encrypted for event in root.events[:2])
    assert len(root.events) > 2
    assert all(event.frame.is_encrypted and is_ciphertext(event) for event in root.events[2:])


@pytest.mark.parametrize("name", [name for name in SAMPLES if not SAMPLES[name]["encrypted"]])
def test_types_of_samples_are_those_of_the_manifest(name: str) -> None:
    content = sample_path(name).read_bytes()
    root = MysqlBinlog.from_bytes(content)
    counts = Counter(event.event_type.name.upper() for event in root.events)
    assert counts == SAMPLES[name]["events"]
    assert 4 + sum(event.len_event for event in root.events) == len(content)
    assert not any(isinstance(event.body, bytes) for event in root.events)
