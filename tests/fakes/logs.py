"""Files of a log, as the daemon writes and rotates them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LATER: Final = "2026-01-31T09:{minute:02d}:{second:02d}.000Z"


def record(number: int, **fields: object) -> str:
    """Write a line; its time is its number in seconds after nine o'clock."""
    minute, second = divmod(number, 60)
    line = {
        **{name: value for name, value in fields.items() if name not in {"level", "part"}},
        "event": fields.get("event", f"line {number}"),
        "part": fields.get("part", "store"),
        "level": fields.get("level", "info"),
        "timestamp": LATER.format(minute=minute, second=second),
    }
    return json.dumps(line)


@dataclass(frozen=True, slots=True)
class WrittenLog:
    """A log that a test writes."""

    file: Path

    def add(self, *lines: str | bytes) -> None:
        """Add lines, each with its line feed."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab") as stream:
            for line in lines:
                stream.write((line if isinstance(line, bytes) else line.encode()) + b"\n")

    def rotate(self) -> None:
        """Number the files, as the log does when one is full."""
        for number in reversed(range(6)):
            old = self.file.with_name(f"{self.file.name}.{number}") if number else self.file
            if old.exists():
                old.replace(self.file.with_name(f"{self.file.name}.{number + 1}"))
        self.file.with_name(f"{self.file.name}.6").unlink(missing_ok=True)
        self.file.touch()
