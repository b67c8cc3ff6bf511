"""The browser does what scripts ask for, as `make pictures` needs it."""

from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.browser.devtools import PageError, steered_page


def test_page_is_steered(servers_folder: Path) -> None:
    with steered_page(Chromium(servers_folder).install()) as page:
        page.open("data:text/html,<p>rows", 300, 200, "window.early = 7")
        waiting = "new Promise((done) => addEventListener('load', done)).then(() => 1)"
        page.run(f"document.readyState === 'complete' || {waiting}")
        assert page.run("[early, document.body.textContent, innerWidth]") == [7, "rows", 300]
        assert page.picture().startswith(b"\x89PNG")
        with pytest.raises(PageError, match="no such node"):
            page.run("Promise.reject(new Error('no such node'))")
