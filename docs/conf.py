"""Sphinx settings of the documentation: `make docs` builds it into docs/_build."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pyspark_adapter

project = "mysql-binlog-spark"
author = "The mysql-binlog-spark authors"
version = release = pyspark_adapter.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "generated_tables",
]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Docstrings are plain text in which single backticks mark code.
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"

# The prompt and the output of a console block are not copied.
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = f"mysql-binlog-spark {version}"
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
}
html_show_sourcelink = False
html_copy_source = False
