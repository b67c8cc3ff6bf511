"""The machine of transactions gives the same in Python and compiled."""

import numpy as np
import pytest

from pyspark_adapter.kernels.layout import Tx
from pyspark_adapter.kernels.scan import mark_of_statement, next_state
from pyspark_adapter.kernels.transaction_state import LONGEST_WORD, OPENS, Mark
from tests.support.compiled import callable_from_python

STATEMENTS = {
    b"BEGIN": Mark.BEGIN,
    b"COMMIT": Mark.END,
    b"ROLLBACK": Mark.END,
    b"XA START X'61',X'',1": Mark.BEGIN_XA,
    b"XA START ": Mark.BEGIN_XA,
    b"XA START": Mark.STATEMENT,
    b"XA STARTS": Mark.STATEMENT,
    b"XA END X'61'": Mark.STATEMENT,
    b"ROLLBACK TO `a`": Mark.STATEMENT,
    b"BEGIN ": Mark.STATEMENT,
    b"begin": Mark.STATEMENT,
    b"BEGIX": Mark.STATEMENT,
    b"COMMIX": Mark.STATEMENT,
    b"": Mark.STATEMENT,
}


compiled_next_state = callable_from_python(next_state)
compiled_mark = callable_from_python(mark_of_statement)


def test_states_follow_each_other_alike() -> None:
    for state in Tx:
        for mark in Mark:
            expected = next_state(int(state), int(mark))
            assert compiled_next_state(int(state), int(mark)) == expected
            assert expected & ~OPENS in list(Tx)
            # Nothing is made of what is not known, and nothing leads there.
            assert (expected == Tx.UNKNOWN) <= (state == Tx.UNKNOWN)


@pytest.mark.parametrize(("text", "mark"), STATEMENTS.items())
def test_statements_mean_the_same(text: bytes, mark: Mark) -> None:
    assert mark_of_statement(text, 0, len(text)) == mark
    data = np.frombuffer(bytearray(b"?" + text + b"?"), dtype=np.uint8)
    assert compiled_mark(data, 1, len(text)) == mark
    # No more bytes than that are looked at.
    assert mark_of_statement(text[:LONGEST_WORD], 0, len(text)) == mark
