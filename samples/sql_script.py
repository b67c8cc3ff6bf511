"""Splits SQL files into statements; the servers' own clients can read these files too."""

from collections.abc import Iterator


def split_statements(text: str) -> Iterator[str]:
    r"""Yield the statements of a script without their delimiters.

    A statement ends with a line that ends with the delimiter, `;` until a line `DELIMITER ...`
    sets another one. Lines that begin with `--` are comments.

    >>> list(split_statements("-- two\nSELECT 1,\n  2;\nDELIMITER //\nBEGIN; END //\n"))
    ['SELECT 1,\n  2', 'BEGIN; END']
    """
    delimiter = ";"
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("--") or not (lines or line.strip()):
            continue
        if not lines and line.upper().startswith("DELIMITER "):
            delimiter = line.split()[1]
            continue
        lines.append(line)
        if line.rstrip().endswith(delimiter):
            statement = "\n".join(lines).rstrip()
            yield statement.removesuffix(delimiter).rstrip()
            lines = []
    if lines:
        raise ValueError(f"the last statement has no {delimiter} at its end: {lines[0]}")
