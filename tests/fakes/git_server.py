"""A server of git repositories over HTTP that asks for a password, on git's own program."""

import base64
import os
import shutil
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from fakes.git import output_of

USER: Final = "ann"
PASSWORD: Final = "correct horse"  # noqa: S105 - of this server alone


@dataclass
class GitServer:
    """The server; ``logins`` are those that it was shown."""

    folder: Path
    port: int = 0
    logins: list[str] = field(default_factory=list[str])

    def url(self, name: str, login: str = "") -> str:
        """Return the address of a repository."""
        return f"http://{login}127.0.0.1:{self.port}/{name}"


def _handler(server: GitServer, program: Path) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            pass

        def do_GET(self) -> None:
            self.answer()

        def do_POST(self) -> None:
            self.answer()

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            given = self.headers.get("authorization", "")
            login = base64.b64decode(given.removeprefix("Basic ")).decode() if given else ""
            if login:
                server.logins.append(login)
            if login != f"{USER}:{PASSWORD}":
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="git"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            head, _, content = self.run(body).partition(b"\r\n\r\n")
            fields = [line.split(": ", 1) for line in head.decode().splitlines()]
            status = next((value for name, value in fields if name == "Status"), "200 OK")
            self.send_response(int(status[:3]))
            for name, value in fields:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def run(self, body: bytes) -> bytes:
            parts = urlsplit(self.path)
            env = {
                "GIT_PROJECT_ROOT": str(server.folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH": os.environ["PATH"],
                "PATH_INFO": parts.path,
                "QUERY_STRING": parts.query,
                "REQUEST_METHOD": self.command,
                "REMOTE_USER": USER,
                "CONTENT_TYPE": self.headers.get("content-type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""),
                "GIT_PROTOCOL": self.headers.get("git-protocol", ""),
                "GIT_CONFIG_GLOBAL": os.devnull,
            }
            return subprocess.run(
                [program], input=body, env=env, capture_output=True, check=True
            ).stdout

    return Handler


@contextmanager
def git_server(folder: Path) -> Generator[GitServer | None]:
    """Serve the repositories of a folder; None where git can't."""
    program = Path(output_of(folder, "--exec-path").strip()) / "git-http-backend"
    if shutil.which(str(program)) is None:
        yield None
        return
    server = GitServer(folder)
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server, program))
    server.port = http.server_port
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
