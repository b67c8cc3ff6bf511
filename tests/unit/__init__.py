"""Tests of one module or noun each, in the folder of the package that it lies in.

No server, no Spark. Next to the folders: tests of the package as a whole.
"""
