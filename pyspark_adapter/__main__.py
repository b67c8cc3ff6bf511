"""`python -m pyspark_adapter`."""

import sys

from pyspark_adapter.cli.main import main

sys.exit(main())
