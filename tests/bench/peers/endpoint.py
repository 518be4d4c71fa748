"""The included model behind an OpenAI-compatible endpoint, so that peers rank the same vectors."""

import asyncio
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from boot.model import BUILT_MODEL
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import NotEmbedded

_WITHIN_S: Final = 60.0


@contextmanager
def embeddings_endpoint() -> Generator[str]:
    """Serve ``POST /v1/embeddings`` on a port of 127.0.0.1; yields the URL up to ``/v1``."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    embedder = OnnxEmbedder(BUILT_MODEL)

    def embed(texts: list[str]) -> list[list[float]]:
        work = embedder.embed(texts, timeout_s=_WITHIN_S)
        found = asyncio.run_coroutine_threadsafe(work, loop).result()
        if isinstance(found, NotEmbedded):
            raise TypeError(found.detail)
        return [[float(number) for number in vector] for vector in found.vectors]

    class _Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body in one packet: in two, the second waits for an acknowledgement.
        wbufsize = -1

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            given: Any = asked["input"]
            texts: list[str] = [given] if isinstance(given, str) else given
            rows = [
                {"object": "embedding", "index": index, "embedding": vector}
                for index, vector in enumerate(embed(texts))
            ]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            answer = {"object": "list", "model": asked["model"], "data": rows, "usage": usage}
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        serving.join()
        asyncio.run_coroutine_threadsafe(embedder.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.server_close()
