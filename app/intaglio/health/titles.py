"""What the domains are called."""

from collections.abc import Mapping
from typing import Final

from intaglio.domain.health import HealthDomain

TITLES: Final[Mapping[HealthDomain, str]] = {
    "queue": "Queue",
    "storage": "Database",
    "index": "Search index",
    "provider": "Model calls",
    "mutation": "Changes",
    "connector": "Document sources",
    "duplicate": "Duplicates",
    "update": "Updates",
    "predictor": "Predictor",
    "agents": "Agents",
    "capture": "Capture",
    "context": "Context",
    "disk": "Disk",
    "process": "Process",
    "clock": "Clock",
    "backups": "Backups",
    "models": "Models",
    "workspace": "Workspace and settings",
}
