"""What stands behind the words of ``python3 app``: set-up, gates, packaging; not part of the wheel.

Standard library only, apart from ``docs``, ``icons`` and ``minilm``, which run inside the
virtual environment.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this line is for the Pythons that cannot run the rest
    sys.exit("Intaglio needs Python 3.11 or newer; this is " + sys.version.split()[0])
