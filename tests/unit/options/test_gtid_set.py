"""GTID sets: valid texts with their members, and invalid texts."""

import pytest

from pyspark_adapter.options.gtid_set import GtidSet

A = "3e11fa47-71ca-11e1-9e33-c80aa9429562"
B = "00010203-0405-0607-0809-0a0b0c0d0e0f"
MAX_GNO = 2**63 - 2
MAX_SEQ_NO = 2**64 - 1


# Text, GTIDs in the set, GTIDs that are not. The forms are those of the servers' manuals: MySQL
# 9.7, "GTID Sets" and "Tagged GTIDs"; MariaDB, "Global Transaction ID".
@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (f"{A}:23", [f"{A}:23"], [f"{A}:22", f"{A}:24", f"{B}:23", f"{A}:tag:23"]),
        (f"{A}:1-5", [f"{A}:1", f"{A}:5"], [f"{A}:6"]),
        (
            f"{A}:1-3:11:47-49",
            [f"{A}:{n}" for n in (1, 3, 11, 47, 49)],
            [f"{A}:4", f"{A}:10", f"{A}:50"],
        ),
        (f"{A}:5-9:1-4:7-12", [f"{A}:{n}" for n in range(1, 13)], [f"{A}:13"]),
        (f"{A}:1-2:7,{B}:20-21", [f"{A}:7", f"{B}:20"], [f"{A}:20", f"{B}:7"]),
        (f"{A}:1,{A}:3", [f"{A}:1", f"{A}:3"], [f"{A}:2"]),
        (f" {A.upper()} : 1 - 2 : 4 ,\n{B}:1", [f"{A}:1", f"{A}:4", f"{B}:1"], [f"{A}:3"]),
        (A.replace("-", "") + ":8", [f"{A}:8"], [f"{A}:9"]),
        (f"{A}:domain_1:117", [f"{A}:domain_1:117"], [f"{A}:117", f"{A}:domain_2:117"]),
        (
            f"{A}:1-5:Tag:3:5-6:_t:9",
            [f"{A}:5", f"{A}:tag:6", f"{A}:_t:9"],
            [f"{A}:6", f"{A}:tag:9"],
        ),
        (f"{A}:{MAX_GNO}", [f"{A}:{MAX_GNO}"], [f"{A}:{MAX_GNO - 1}"]),
        ("0-1-100", ["0-1-100"], ["0-1-99", "0-2-100", "1-1-100"]),
        ("0-1-5-7,2-4294967295-9", ["0-1-5", "0-1-7", "2-4294967295-9"], ["0-1-8", "0-1-4"]),
        (f"0-0-{MAX_SEQ_NO}", [f"0-0-{MAX_SEQ_NO}"], ["0-0-0"]),
        (f"0-1-1,{A}:1", ["0-1-1", f"{A}:1"], [f"{A}:2", "0-1-2"]),
    ],
)
def test_a_set_holds_what_its_text_names(text: str, inside: list[str], outside: list[str]) -> None:
    gtids = GtidSet.parse(text)
    assert [gtid for gtid in inside if gtid not in gtids] == []
    assert [gtid for gtid in outside if gtid in gtids] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        ",",
        f"{A}",
        f"{A}:",
        f"{A}:1,",
        f"{A}:0",
        f"{A}:0-5",
        f"{A}:5-3",
        f"{A}:1-2-3",
        f"{A}:-1",
        f"{A}:{MAX_GNO + 1}",
        f"{A}:" + "9" * 5000,
        f"{A}:tag",
        f"{A}:tag:",
        f"{A}:tag:other:1",
        f"{A}:1tag:1",
        f"{A}:{'t' * 33}:1",
        f"{A}:*",
        f"{A[:-1]}:1",
        f"{A[:-1]}g:1",
        "\u0660-1-1",
        f"{A}:\u0661",
        "1",
        "0-1",
        "0-1-2-3-4",
        "0-1-7-5",
        "4294967296-1-1",
        "0-4294967296-1",
        f"0-1-{MAX_SEQ_NO + 1}",
        "0--1-1",
    ],
)
def test_what_is_no_set_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"uuid:1-5:7|numbers|domain and server"):
        GtidSet.parse(text)


def test_texts_of_one_set_are_equal() -> None:
    assert GtidSet.parse(f"{A}:1-2:3:9") == GtidSet.parse(f"{A}:9,{A.upper()}:2-3,{A}:1")
