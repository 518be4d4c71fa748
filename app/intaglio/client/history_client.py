"""The part of the client that imports history."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

import httpx

from intaglio.client.daemon_connection import DaemonConnection
from intaglio.wire.history_import import (
    ImportedSessionPage,
    ImportList,
    ImportPreview,
    ImportPreviewRequest,
    ImportRequest,
    ImportRun,
    ImportSources,
    Upload,
    UploadRequest,
)
from intaglio.wire.status import Acknowledged

# Looking through the folders of all harnesses, or judging a sample, may take so long.
_LOOKING_S: Final = 120.0


class HistoryClient(DaemonConnection):
    """The endpoints of the import of history."""

    def import_sources(self) -> ImportSources:
        """Return what can be imported."""
        path = "/api/imports/sources"
        return self.send("GET", path, ImportSources, owner=True, timeout=_LOOKING_S)

    def preview_import(self, sources: Sequence[str], project: str | None) -> ImportPreview:
        """Return what importing sources would keep; of all of them, if there are none."""
        body = ImportPreviewRequest(sources=list(sources), project=project)
        path = "/api/imports/preview"
        return self.send("POST", path, ImportPreview, body=body, owner=True, timeout=_LOOKING_S)

    def start_import(self, request: ImportRequest) -> ImportRun:
        """Start an import."""
        path = "/api/imports"
        return self.send("POST", path, ImportRun, body=request, owner=True, timeout=_LOOKING_S)

    def imports(self) -> ImportList:
        """List the imports, newest first."""
        return self.send("GET", "/api/imports", ImportList, owner=True)

    def import_run(self, import_id: str) -> ImportRun:
        """Return an import with its progress."""
        return self.send("GET", _import(import_id), ImportRun, owner=True)

    def imported_sessions(self, import_id: str, cursor: str | None) -> ImportedSessionPage:
        """List an import's sessions, newest first; ``cursor`` is that of the page before."""
        query = f"?{httpx.QueryParams({'cursor': cursor})}" if cursor else ""
        path = f"{_import(import_id)}/sessions{query}"
        return self.send("GET", path, ImportedSessionPage, owner=True)

    def cancel_import(self, import_id: str) -> ImportRun:
        """Cancel an import; what is imported already stays."""
        return self.send("POST", f"{_import(import_id)}/cancel", ImportRun, owner=True)

    def begin_upload(self, name: str, size: int) -> Upload:
        """Begin the upload of an export."""
        body = UploadRequest(name=name, size=size)
        return self.send("POST", "/api/imports/uploads", Upload, body=body, owner=True)

    def send_upload_part(self, upload_id: str, offset: int, part: bytes) -> Upload:
        """Send the bytes of an export from ``offset`` on, at most 8 MB."""
        path = f"{_upload(upload_id)}?offset={offset}"
        return self.send("PUT", path, Upload, body=part, owner=True)

    def upload(self, upload_id: str) -> Upload:
        """Return how far an upload is."""
        return self.send("GET", _upload(upload_id), Upload, owner=True)

    def delete_upload(self, upload_id: str) -> None:
        """Delete an upload."""
        self.send("DELETE", _upload(upload_id), Acknowledged, owner=True)


def _import(import_id: str) -> str:
    return f"/api/imports/{quote(import_id, safe='')}"


def _upload(upload_id: str) -> str:
    return f"/api/imports/uploads/{quote(upload_id, safe='')}"
