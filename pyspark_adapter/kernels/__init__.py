"""Row decoding in machine code: the only package that imports numba.

Nothing is compiled or loaded when this package is imported; `engine` does that on first use.
"""
