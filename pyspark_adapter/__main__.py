"""`python -m pyspark_adapter`."""

import sys

from pyspark_adapter.cli import main

sys.exit(main())
