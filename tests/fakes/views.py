"""The views of the dashboard, as their entries in ``ui/src/routes.ts`` describe them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

ROUTES = Path(__file__).parents[2] / "ui" / "src" / "routes.ts"


@dataclass(frozen=True, slots=True)
class View:
    """What an entry says that a test can see."""

    path: str
    title: str
    key: str
    help: str
    reads: str

    @property
    def asks(self) -> re.Pattern[str]:
        """The requests that it shows the answers of."""
        return re.compile(rf"{re.escape(self.reads)}(\?|$)")


def views(routes: str) -> list[View]:
    """Read the entries, one in a line, out of the text of ``routes.ts``."""
    entries = [
        dict(re.findall(r'(\w+): ("[^"]*")', line))
        for line in routes.splitlines()
        if line.startswith("  { path: ")
    ]
    return [View(**{name: json.loads(entry[name]) for name in View.__slots__}) for entry in entries]
