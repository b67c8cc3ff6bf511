"""What the proof finds wrong with a sink."""

from collections import Counter

import pytest

from tests.exactly_once.proof import Counted, ProofError, check_counts, check_once

ROW = {
    "_log_file": "binlog.000001",
    "_commit_version": (1 << 40) + 157,
    "_row_number": 0,
    "_change_type": "update_preimage",
    "_database_name": "d",
    "_table_name": "t",
}
AFTER = ROW | {"_change_type": "update_postimage"}
PRINTED = Counter(
    Counted("binlog.000001", "d", "t", kind) for kind in ("update_preimage", "update_postimage")
)


def test_both_images_of_an_update_are_no_doubles() -> None:
    check_once([ROW, AFTER])
    check_counts([ROW, AFTER], PRINTED)


def test_an_image_twice() -> None:
    with pytest.raises(ProofError, match="1 images are there twice"):
        check_once([ROW, AFTER, ROW])


def test_an_image_that_is_lost() -> None:
    with pytest.raises(ProofError, match=r"1 images are not there: .*update_postimage"):
        check_counts([ROW], PRINTED)


def test_an_image_of_another_table() -> None:
    with pytest.raises(ProofError, match=r"1 images are not there: .*; 1 are in no log: .*'u'"):
        check_counts([ROW, AFTER | {"_table_name": "u"}], PRINTED)
