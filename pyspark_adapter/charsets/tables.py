"""The maps of `charsets.maps` as integer tables, with which kernels convert text to UTF-8."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from pyspark_adapter.charsets.maps import NUM_FOUR_BYTES_BMP, CharacterMap, character_map
from pyspark_adapter.kernels.layout import Entry, Numbers

_BLOCK: Final = 256


@cache
def is_ascii_based(charset: str) -> bool:
    """Return whether bytes below 0x80 are ASCII in a mapped character set."""
    characters = character_map(charset).characters
    return all(characters.get(bytes([byte])) == chr(byte) for byte in range(128))


@cache
def conversion_table(charset: str) -> Numbers:
    """Return the table of a mapped character set, (256 * n,) int32.

    The first block of 256 entries is for the first byte, later blocks are for the bytes after it.
    The highest byte of an entry is the length of a character in UTF-8, with the UTF-8 bytes below
    it, first byte lowest; or an `Entry`, with the number of a block below if it leads to one.
    """
    char_map = character_map(charset)
    blocks = [np.zeros(_BLOCK, dtype=np.int32)]
    for sequence, letter in char_map.characters.items():
        if len(sequence) < 4:
            _block_of(blocks, sequence[:-1])[sequence[-1]] = _entry(letter)
    for sequence in char_map.undefined:
        _block_of(blocks, sequence[:-1])[sequence[-1]] = Entry.UNDEFINED << 24
    if char_map.codec:
        _add_four_bytes(blocks, char_map)
    return np.concatenate(blocks)


def _entry(letter: str) -> int:
    encoded = letter.encode()
    return int.from_bytes(encoded, "little") | len(encoded) << 24


def _block_of(blocks: list[Numbers], prefix: bytes) -> Numbers:
    """Return the block for the byte after a prefix; create it if needed."""
    block = blocks[0]
    for byte in prefix:
        if block[byte] == 0:
            block[byte] = Entry.BLOCK << 24 | len(blocks)
            blocks.append(np.zeros(_BLOCK, dtype=np.int32))
        block = blocks[int(block[byte]) & 0xFFFFFF]
    return block


def _add_four_bytes(blocks: list[Numbers], char_map: CharacterMap) -> None:
    """Add the four-byte characters below U+10000, by number, and the entries that lead there."""
    table = np.zeros(-(-NUM_FOUR_BYTES_BMP // _BLOCK) * _BLOCK, dtype=np.int32)
    for number in range(NUM_FOUR_BYTES_BMP):
        letter = char_map.character(_four_bytes(number))
        table[number] = _entry(letter) if letter is not None else Entry.UNDEFINED << 24
    entry = Entry.FOUR_BYTES << 24 | len(blocks)
    blocks.append(table)
    for first in range(0x81, 0xFF):
        _block_of(blocks, bytes([first]))[0x30:0x3A] = entry


def _four_bytes(number: int) -> bytes:
    """Return the n-th four-byte sequence."""
    number, fourth = divmod(number, 10)
    number, third = divmod(number, 126)
    first, second = divmod(number, 10)
    return bytes([0x81 + first, 0x30 + second, 0x81 + third, 0x30 + fourth])
