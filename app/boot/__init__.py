"""Implements the commands of ``python3 app``: set-up, checks, packaging. Not part of the wheel.

Standard library only, apart from ``docs``, ``icons`` and ``minilm``, which run inside the
virtual environment.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - for Pythons that can't run the rest
    sys.exit("Intaglio needs Python 3.11 or newer; this is " + sys.version.split()[0])
