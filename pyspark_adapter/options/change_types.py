"""The kinds of row images, and which rows events hold them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from pyspark_adapter.kernels import layout as lay

# By the CHANGE_ codes of `kernels.layout`.
CHANGE_TYPES: Final = ("insert", "update_preimage", "update_postimage", "delete")

INSERT: Final = frozenset({lay.CHANGE_INSERT})
UPDATE: Final = frozenset({lay.CHANGE_UPDATE_PREIMAGE, lay.CHANGE_UPDATE_POSTIMAGE})
DELETE: Final = frozenset({lay.CHANGE_DELETE})

# By the type code of an event, of what MariaDB compressed that without compression: versions 0, 1
# and 2 of rows events, and partial updates.
CHANGES_BY_EVENT_TYPE: Final = MappingProxyType(
    dict.fromkeys((20, 23, 30), INSERT)
    | dict.fromkeys((21, 24, 31, 39), UPDATE)
    | dict.fromkeys((22, 25, 32), DELETE)
)
