"""Draw what imports what in the package: `make diagram`.

Writes `docs/architecture.dot` from the imports and the first sentences of the folders' docstrings;
`tools/render_diagram.mjs` makes an SVG of it. An arrow that follows from others is left out.
"""

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "pyspark_adapter"
TARGET = ROOT / "docs" / "architecture.dot"
# Everything imports these, so that arrows to them would say nothing.
COMMON = frozenset({"", "errors", "options"})
LINE = 32  # characters

Graph = dict[str, set[str]]


def part_of(path: Path) -> str:
    """Return the folder of a module, or the module itself where it is in none."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0].removesuffix("__init__")


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the folders and modules of the package that a module imports; types apart."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending += node.orelse
            continue
        pending += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (n.split(".")[1] for n in names if n.startswith(f"{PACKAGE.name}."))


def read_package() -> tuple[Graph, dict[str, str]]:
    """Return what each folder and module of the package imports, and what its docstring says."""
    graph: Graph = {}
    titles: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        part = part_of(path)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        graph.setdefault(part, set()).update(imported(tree))
        if path.stem == "__init__" or path.parent == PACKAGE:
            # The docstring of a folder is that of its own __init__, not of one further down.
            titles.setdefault(part, (ast.get_docstring(tree) or "").split("\n\n")[0])
    for part, below in graph.items():
        below &= graph.keys() - {part, ""}
        below -= COMMON if part not in COMMON else set()
    return graph, titles


def reaches(graph: Graph, start: str) -> set[str]:
    """Return all that can be reached over one arrow or more."""
    found: set[str] = set()
    pending = set(graph[start])
    while pending:
        found |= pending
        pending = set().union(*(graph[part] for part in pending)) - found
    return found


def reduced(graph: Graph) -> Graph:
    """Return the graph without the arrows that follow from others."""
    below = {part: reaches(graph, part) for part in graph}
    return {
        part: {
            to
            for to in direct
            if not any(to in below[o] and part not in below[o] for o in direct - {to})
        }
        for part, direct in graph.items()
    }


def draw() -> str:
    """Return the diagram as text for Graphviz."""
    graph, titles = read_package()
    shown = sorted(part for part in graph if part not in ("", "__main__"))
    lines = [
        "// Made by tools/draw_architecture.py: run `make diagram` after a change of imports.",
        "digraph architecture {",
        '  graph [bgcolor="transparent", rankdir=TB, nodesep=0.25, ranksep=0.35]',
        '  node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=10,',
        '        margin="0.2,0.08", color="#808080", fillcolor="#eef3f8", fontcolor="#1b1f24"]',
        '  edge [color="#808080", arrowsize=0.7]',
    ]
    for part in shown:
        is_folder = (PACKAGE / part).is_dir()
        name = f"{part}/" if is_folder else f"{part}.py"
        words = textwrap.wrap(titles[part].replace("\n", " ").rstrip("."), LINE)
        label = "".join(f"{line}\\n" for line in [name, *words]).replace('"', '\\"')
        fill = "" if is_folder else ', fillcolor="#f6f1e4"'
        lines.append(f'  "{part}" [label="{label}"{fill}]')
    arrows = reduced({part: graph[part] for part in shown})
    lines += [f'  "{part}" -> "{to}"' for part in shown for to in sorted(arrows[part])]
    return "\n".join([*lines, "}"]) + "\n"


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8")
