"""Secrets in every form and in every text that is stored, and look-alikes that have to stay."""

import json
import random
from pathlib import Path
from typing import Any, Final

import httpx

from bench.attack.arena import Arena, bytes_on_disk, end
from bench.attack.probe import Outcome, Probe, judge
from fakes import drawn_secrets
from fakes.drawn_secrets import CONTEXTS, Case
from fakes.planted_secrets import Plan, Planted

_CORPUS: Final = Path(__file__).parents[2] / "unit" / "redaction" / "corpus"
_SEED: Final = "attack"


def _lines(name: str) -> list[str]:
    lines = (_CORPUS / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines[2:] if line]


def _remember(client: httpx.Client, text: str) -> str:
    """Remember a text and return its content as it is stored."""
    reply = client.post("/api/memory/remember", json={"content": text})
    memory = client.get(f"/api/memory/{reply.raise_for_status().json()['id']}")
    return str(memory.raise_for_status().json()["content"])


def _leaks_of(arena: Arena, cases: list[Case]) -> Outcome:
    """Remember every case, and name the kinds of which a piece is stored."""
    daemon = arena.shared()
    with daemon.client() as client:
        broken = [
            case.kind
            for case in cases
            if drawn_secrets.leaks(_remember(client, case.text), case.secrets)
        ]
    return judge(broken, len(cases))


def known_forms(arena: Arena) -> Outcome:
    """Send a secret of every format of the table, in four contexts."""
    return _leaks_of(arena, list(drawn_secrets.cases_of_every_format(_SEED)))


def forms_apart(arena: Arena) -> Outcome:
    """Send the forms that were written down before and apart from the table."""
    cases = [
        drawn_secrets.dressed(line[:40], line, drawn_secrets.seeded((_SEED, number, line)))
        for line in _lines("held_out.txt")
        for number in range(4)
    ]
    return _leaks_of(arena, cases)


def look_alikes(arena: Arena) -> Outcome:
    """Send harmless values in four contexts; each has to be stored as it is."""
    values = [
        drawn_secrets.draw(line, drawn_secrets.seeded((_SEED, line)))
        for line in _lines("look_alikes.txt")
    ]
    texts = [context.format(value=value) for value in values for context in CONTEXTS]
    with arena.shared().client() as client:
        broken = [text[:60] for text in texts if _remember(client, text) != text]
    return judge(broken, len(texts))


def _send(client: httpx.Client, planted: Planted, tokens: dict[str, str]) -> None:
    token = tokens["hook_token" if planted.by_hook else "token"]
    client.request(
        planted.method,
        planted.path,
        json=planted.body,
        params=planted.query,
        headers={"authorization": f"Bearer {token}", **planted.headers},
    )


def every_field(arena: Arena) -> Outcome:
    """Send a key in every text of every request, and look for it in all files of the home."""
    daemon = arena.start()
    with daemon.client() as client:
        document: dict[str, Any] = json.loads(client.get("/api/openapi.json").text)
        saved = client.post("/api/memory/remember", json={"content": "The shop has a cache."})
        memory = str(saved.raise_for_status().json()["id"])
        source = random.Random(_SEED)  # noqa: S311 - the same keys each time
        plan = list(Plan(document, memory, source).requests())
        for planted in plan:
            _send(client, planted, daemon.identity)
        # While the daemon has its files open, the log of the database holds the latest pages.
        written = bytes_on_disk(daemon.paths.database)
    end(daemon)
    files = [file for file in sorted(arena.home.rglob("*")) if file.is_file()]
    written += b"".join(file.read_bytes() for file in files)
    leaked = [planted.where for planted in plan if planted.secret.encode() in written]
    return judge(sorted(set(leaked)), len(plan))


PROBES: tuple[Probe, ...] = (
    Probe("secrets", "each known form of a secret in four contexts", known_forms),
    Probe("secrets", "forms written down apart from the patterns", forms_apart),
    Probe("secrets", "look-alikes in four contexts stay as they are", look_alikes),
    Probe("secrets", "a key in each text of each request and hook, in all files", every_field),
)
