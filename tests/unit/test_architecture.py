"""The picture of the package in `docs/` is what its imports make of it today."""

from importlib.util import module_from_spec, spec_from_file_location

from tests.inputs import ROOT
from tests.unit.test_house import TREES


def test_picture_shows_the_package() -> None:
    spec = spec_from_file_location("draw_architecture", ROOT / "tools" / "draw_architecture.py")
    assert spec is not None
    assert spec.loader is not None
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    drawn = (ROOT / "docs" / "architecture.dot").read_text(encoding="utf-8")
    assert drawn == tool.draw(), "run `make diagram`"
    svg = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    for part in {module.split(".")[0] for module in TREES} - {"", "__main__"}:
        assert f"<title>{part}</title>" in svg
