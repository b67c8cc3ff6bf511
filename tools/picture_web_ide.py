"""Take the pictures of the Web IDE: `make pictures WEBIDE=folder of a built Web IDE`.

Opens samples in the Web IDE with the schema of the checkout, in headless Chromium, and writes its
tree and its hex dump to `docs/web-ide*.png`. With `--time LOG`, prints how long a log takes there.
No registry has a build of the Web IDE; the one that is published is the repository
`kaitai-io/ide-kaitai-io.github.io`.
"""

import argparse
import functools
import http.server
import io
import json
import threading
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tests.browser.chromium import Chromium
from tests.browser.devtools import Page, steered_page
from tests.inputs import ROOT, sample_path

SCHEMA = ROOT / "mysql_binlog.ksy"
COMPILER = "node_modules/kaitai-struct-compiler/kaitai-struct-compiler.js"
WIDTH, HEIGHT = 1260, 540
WIDTH_OF_TREE = 620
NUM_COLOURS = 32


@dataclass(frozen=True)
class Picture:
    """A picture of the documentation.

    Attributes:
        file: its name.
        sample: the log.
        opened: paths of nodes that are opened.
        top: the node that is shown at the top.
        selected: the node whose bytes are shown.
    """

    file: str
    sample: str
    opened: tuple[str, ...]
    top: str
    selected: str


PICTURES = (
    Picture(
        "web-ide.png",
        "mysql-9.7-shop",
        ("events/53/body/rows/0/beforeImage", "events/53/body/rows/0/afterImage"),
        "events/53/body/rows",
        "events/53/body/rows/0/afterImage/2",
    ),
    Picture(
        "web-ide-json.png",
        "mysql-9.7-shop",
        ("events/15/body/rows/0/afterImage/6/value/document/value/items",),
        "events/15/body/rows/0",
        "events/15/body/rows/0/afterImage/6/value/document/value/items/0",
    ),
    Picture(
        "web-ide-payload.png",
        "mysql-9.7-compressed-transactions",
        ("events/7/frame", "events/7/body/fields"),
        "events/5",
        "events/7/body/fields",
    ),
)

NO_GREETING = "localStorage.setItem('doNotShowWelcome', 'true')"
START = """(async () => {
  while (!window.kaitaiIde?.app?.inputReady) await new Promise((next) => setTimeout(next, 50));
  await Promise.all([kaitaiIde.app.formatReady, kaitaiIde.app.inputReady]);
})()"""
# The log is kept by the IDE before the schema is, and parsed once, with the schema.
LOAD = """(async (schema, log) => {
  const app = kaitaiIde.app;
  const file = ([name, base64]) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const read = async (mode) => (mode === 'text' ? new TextDecoder().decode(bytes) : bytes.buffer);
    return { file: { name }, read };
  };
  const { reparse } = app;
  app.reparse = async () => {};
  await app.addNewFiles([file(schema)]);
  await app.addNewFiles([file(log)]);
  app.reparse = reparse;
  kaitaiIde.root = undefined;
  await app.recompile();
  const tree = () => app.ui.parsedDataTreeHandler?.jstree;
  while (!kaitaiIde.root || !tree()?.get_node('inputField-magic')) {
    await new Promise((next) => setTimeout(next, 50));
  }
  if (kaitaiIde.root.incomplete) throw new Error('the log was not read to its end');
})(%s, %s)"""
OPEN = """(async (paths, top, selected) => {
  const { jstree } = kaitaiIde.app.ui.parsedDataTreeHandler;
  const opened = (id) => new Promise((done) => jstree.open_node(id, done, 0));
  for (const path of paths) {
    let node = 'inputField';
    for (const part of path.split('/')) {
      node += `-${part}`;
      if (!jstree.get_node(node)) throw new Error(`no node ${path}: ${node}`);
      await opened(node);
    }
  }
  const id = `inputField-${selected.replaceAll('/', '-')}`;
  jstree.deselect_all(true);
  jstree.select_node(id);
  await new Promise((done) => setTimeout(done, 500));
  const [first] = jstree.get_node(`inputField-${top.replaceAll('/', '-')}`, true);
  first.scrollIntoView({ block: 'start' });
  await new Promise((done) => setTimeout(done, 500));
})(%s, %s, %s)"""
PARSE_AGAIN = """(async () => {
  const start = performance.now();
  await kaitaiIde.app.reparse();
  return [performance.now() - start, kaitaiIde.root.object.fields.events.arrayItems.length];
})()"""
# The tree and the hex dump fill the page.
ARRANGE = """(([width, height, tree]) => {
  const panel = (title) => [...document.querySelectorAll('.lm_stack')].findLast((stack) =>
    [...stack.querySelectorAll('.lm_title')].some((label) => label.textContent === title));
  const place = (element, left, wide) => {
    element.style.cssText = `visibility:visible;position:fixed;z-index:1000;left:${left}px;top:0;` +
      `width:${wide}px;height:${height}px;background:#fff`;
    for (const part of element.querySelectorAll('.lm_items, .lm_item_container, .lm_content')) {
      part.style.width = `${wide}px`;
      part.style.height = `${height}px`;
    }
    element.querySelector('.lm_header').style.display = 'none';
  };
  for (const other of document.querySelectorAll('.lm_stack, .lm_splitter')) {
    other.style.visibility = 'hidden';
  }
  document.body.style.overflow = 'hidden';
  place(panel('object tree'), 0, tree);
  place(panel('hex viewer'), tree, width - tree);
  kaitaiIde.app.ui.hexViewer.resize();
})(%s)"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the Web IDE, with the compiler of the checkout."""

    def translate_path(self, path: str) -> str:
        """Return the file of a path."""
        if path.partition("?")[0].endswith("/kaitai-struct-compiler.js"):
            return str(ROOT / COMPILER)
        return super().translate_path(path)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base's name
        """Keep silent."""


def file_of(path: Path) -> list[str]:
    """Return the name of a file, and its bytes in base 64."""
    return [path.name, b64encode(path.read_bytes()).decode()]


def script(text: str, *values: object) -> str:
    """Return a script with values in it."""
    return text % tuple(json.dumps(value) for value in values)


def open_log(page: Page, url: str, log: Path) -> None:
    """Open a log in the Web IDE."""
    page.open(url, WIDTH, HEIGHT, NO_GREETING)
    page.run(START)
    page.run(script(LOAD, file_of(SCHEMA), file_of(log)))


def take(page: Page, url: str, picture: Picture) -> bytes:
    """Return a picture as PNG of few colours."""
    open_log(page, url, sample_path(picture.sample))
    page.run(script(ARRANGE, [WIDTH, HEIGHT, WIDTH_OF_TREE]))
    page.run(script(OPEN, picture.opened, picture.top, picture.selected))
    shown = Image.open(io.BytesIO(page.picture())).convert("RGB")
    small = io.BytesIO()
    shown.quantize(NUM_COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ide", type=Path, help="folder of the built Web IDE, with its index.html")
    parser.add_argument("--servers", type=Path, default=ROOT / ".servers", help="where Chromium is")
    parser.add_argument("--time", type=Path, help="a log whose parsing is timed")
    options = parser.parse_args()
    browser = Chromium(options.servers).install()
    handler = functools.partial(Handler, directory=str(options.ide))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/index.html?noAutoCompile"
        if options.time is not None:
            with steered_page(browser) as page:
                open_log(page, url, options.time)
                milliseconds, num_events = page.run(PARSE_AGAIN)
                print(f"{num_events} events in {milliseconds:.0f} ms")  # noqa: T201
        for picture in PICTURES if options.time is None else ():
            with steered_page(browser) as page:
                (ROOT / "docs" / picture.file).write_bytes(take(page, url, picture))
        server.shutdown()


if __name__ == "__main__":
    main()
