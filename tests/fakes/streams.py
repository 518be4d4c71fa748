"""Operations whose replies don't end."""

from typing import Final

ENDLESS: Final = {"streamEvents": "/api/events", "streamLogs": "/api/logs/stream"}
"""Their paths by name."""
