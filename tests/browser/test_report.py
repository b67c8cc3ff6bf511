"""The report in a browser: all pictures are drawn, in light and dark, without a word in the log."""

import os
import subprocess
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from pyspark_adapter.cli.main import main
from tests.browser.chromium import FLAGS, Chromium
from tests.inputs import sample_path

SIZE = (1000, 2400)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_drawn(tmp_path: Path, servers_folder: Path, theme: str) -> None:
    browser = Chromium(servers_folder).install()
    page, picture = tmp_path / "report.html", tmp_path / "report.png"
    assert main(["report", str(sample_path("mysql-9.7-shop")), "--out", str(page), "-q"]) == 0
    scheme = "0" if theme == "dark" else "1"
    done = subprocess.run(
        [
            str(browser.program),
            *FLAGS,
            "--enable-logging=stderr",
            f"--user-data-dir={tmp_path}/profile",
            f"--blink-settings=preferredColorScheme={scheme}",
            f"--window-size={SIZE[0]},{SIZE[1]}",
            f"--screenshot={picture}",
            page.as_uri(),
        ],
        env=os.environ | browser.variables | {"HOME": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert b"CONSOLE" not in done.stderr
    pixels = (matplotlib.image.imread(picture)[:, :, :3] * 255).round().astype(int)
    assert (pixels[2, 2].mean() < 60) == (theme == "dark")
    # Bars of the two largest tables, and the brightest hour of the week.
    for colour in ((0, 114, 178), (230, 159, 0), (253, 231, 37)):
        assert np.sum(np.abs(pixels - colour).sum(axis=2) < 6) > 300, colour
    # Axes and text are drawn in the colour of the theme's text.
    ink = 255 if theme == "dark" else 0
    assert np.sum(np.abs(pixels - ink).sum(axis=2) < 30) > 1000
