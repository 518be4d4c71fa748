"""What is shown beside the settings: where the data is, the port, the model in use, the version."""

import asyncio
from pathlib import Path
from typing import Final

from intaglio.api.services import Services
from intaglio.base.settings.declaration import SettingGroup
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.wire.settings import SettingFact

_MB: Final = 1_000_000
_SIDE_FILES: Final = ("", "-wal", "-shm")
_PHASES: Final = {
    "idle": "not loaded",
    "ready": "loaded",
    "failing": "failing",
    "damaged": "damaged",
    "closed": "closed",
}


async def setting_facts(services: Services) -> list[SettingFact]:
    """List the facts, by group."""
    running = services.running
    paths = running.paths
    privacy, advanced = SettingGroup.PRIVACY.value, SettingGroup.ADVANCED.value
    size, backups = await asyncio.to_thread(
        lambda: (_size_of(paths.database), _size_of_folder(paths.backups))
    )
    return [
        _model(services),
        SettingFact(
            id="database",
            group=privacy,
            label="Your data (one database)",
            value=f"{paths.database} ({_megabytes(size)})",
            help="All memories, sessions and transcripts, in one SQLite file.",
        ),
        SettingFact(
            id="backups",
            group=privacy,
            label="Backups",
            value=f"{paths.backups} ({_megabytes(backups)})",
            help="Daily copies of the database.",
        ),
        SettingFact(
            id="workspace",
            group=privacy,
            label="Workspace",
            value=str(paths.workspace),
            help="The folder of your data and settings. Copy it to take everything along.",
        ),
        SettingFact(
            id="settings_file",
            group=advanced,
            label="Settings file",
            value=str(paths.settings),
            help="This page reads and writes it. You can edit it too; changes apply at once.",
        ),
        SettingFact(
            id="log",
            group=advanced,
            label="Log",
            value=str(paths.log_file),
            help="What the daemon did and what failed. It holds no texts of memories.",
        ),
        SettingFact(
            id="port",
            group=advanced,
            label="Port",
            value=str(running.port),
            help="Only programs on this machine can connect. INTAGLIO_PORT changes it at a start.",
        ),
        SettingFact(
            id="version",
            group=advanced,
            label="Version",
            value=running.version,
            help="The version of the daemon that is running.",
        ),
    ]


def _model(services: Services) -> SettingFact:
    embedder = services.get(SemanticSearch).embed.embedder
    identity, state = embedder.identity, embedder.state
    name = f"{identity.provider}: {identity.model}" if identity.model else "none"
    phase = _PHASES.get(state.phase, state.phase)
    why = f" {state.detail}" if state.detail else ""
    return SettingFact(
        id="model",
        group=SettingGroup.MODELS.value,
        label="Embedding model in use",
        value=f"{name} ({phase})" if identity.model else name,
        help=f"It finds memories by meaning, and is loaded when it's needed.{why}",
    )


def _megabytes(size: int) -> str:
    return f"{size / _MB:,.1f} MB"


def _size_of(database: Path) -> int:
    files = (database.with_name(f"{database.name}{suffix}") for suffix in _SIDE_FILES)
    return sum(_bytes_of(each) for each in files)


def _size_of_folder(folder: Path) -> int:
    try:
        return sum(_bytes_of(each) for each in folder.iterdir())
    except OSError:
        return 0


def _bytes_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
