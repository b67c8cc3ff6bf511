"""The kinds of row images, and which rows events hold them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from pyspark_adapter.format import event_types
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.options.filter_values import CHANGE_TYPES as CHANGE_TYPES
from pyspark_adapter.options.filter_values import SCHEMA_CHANGE_TYPES as SCHEMA_CHANGE_TYPES
from pyspark_adapter.options.filter_values import SNAPSHOT as SNAPSHOT

INSERT: Final = frozenset({lay.Change.INSERT})
UPDATE: Final = frozenset({lay.Change.UPDATE_PREIMAGE, lay.Change.UPDATE_POSTIMAGE})
DELETE: Final = frozenset({lay.Change.DELETE})

# The kinds of images in each type of rows event.
CHANGES_BY_EVENT_TYPE: Final = MappingProxyType(
    {
        type_code: changes
        for trait, changes in (
            (event_types.INSERT, INSERT),
            (event_types.UPDATE, UPDATE),
            (event_types.DELETE, DELETE),
        )
        for type_code in event_types.types_with(trait)
    }
)
