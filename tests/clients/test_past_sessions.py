"""The real Claude Code is told once what a past session settled, and nothing taken back."""

import json
import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from clients.conftest import BLOCK, Machine, blocks_of, memories, running_machine
from fakes.daemon import Daemon
from fakes.waiting import wait_for

pytestmark = [pytest.mark.clients, pytest.mark.slow]

PROPOSED: Final = (
    "I propose a counter row for each clinic, locked in the transaction of the invoice."
)
CREDIT: Final = "Cancelled invoices keep their number and get a credit note."
NUMBERS: Final = {
    "Two of our PDF invoices share a number, how should we make invoice numbers?": PROPOSED,
    f"Yes, let's do it like that. {CREDIT}": "Done: each clinic has its counter.",
    "Please rename the helper to next_number.": "Renamed.",
}
GAPS: Final = "Why do the invoice numbers of the second clinic have gaps since we cancelled two?"
AGAIN: Final = "And why do the invoice numbers of the third clinic have gaps, too?"

MAILGUN: Final = "We decided to send all invoice mails through Mailgun."
BY_MAILGUN: Final = {
    f"Which service should deliver our invoice mails? {MAILGUN}": (
        "Done: the mailer delivers invoice mails through Mailgun."
    ),
}
POSTMARK: Final = "We no longer use Mailgun for invoice mails, use Postmark instead."
BY_POSTMARK: Final = {POSTMARK: "Done: the mailer delivers invoice mails through Postmark."}
LATE: Final = (
    "Why do the invoice mails reach some customers a day late, and who should deliver them?"
)

OTHER_TALK: Final = {
    "Please make the margin of the login dialog wider on small phones.": "It is wider now.",
    "Why is the parser so slow with large files?": "It copies each line.",
}
ANSWERS: Final[Mapping[str, str]] = {**NUMBERS, **BY_MAILGUN, **BY_POSTMARK, **OTHER_TALK}


def answer(body: dict[str, Any]) -> str:
    """Return the scripted answer to what the user said last; what we told is not theirs."""
    sent = BLOCK.sub("", json.dumps(body["messages"], ensure_ascii=False))
    last = max(ANSWERS, key=sent.rfind)
    return ANSWERS[last] if body.get("tools") and last in sent else "Understood."


@dataclass(frozen=True, slots=True)
class Office:
    """A connected machine with the included model."""

    machine: Machine
    daemon: Daemon

    def hold(self, project: Path, talk: Mapping[str, str]) -> str:
        """Hold a session, and return the id of its page when all of it is stored and embedded."""
        known = {each["id"] for each in self._sessions(project)}
        self.machine.claude.talk(project, list(talk))
        found: list[str] = []

        def is_stored() -> bool:
            found[:] = [each["id"] for each in self._sessions(project) if each["id"] not in known]
            (session,) = found
            detail = self.get(f"/api/sessions/{session}")
            left = self.get("/api/status")["queue"]
            return (
                detail["end"] is not None
                and detail["stored"]["messages"] == 2 * len(talk)
                and left["pending"] + left["leased"] == 0
            )

        wait_for(is_stored, "the session is stored and embedded")
        return found[0]

    def first_request(self, project: Path, prompt: str) -> list[str]:
        """Start a session with a prompt; return our blocks in the client's first request."""
        self.machine.model.requests.clear()
        self.machine.claude.ask(prompt, project)
        return blocks_of(self.machine.model.requests[0])

    def get(self, path: str, **query: str) -> dict[str, Any]:
        with self.daemon.client(headers=self.daemon.owner) as client:
            reply = client.get(path, params=query).raise_for_status()
        return dict(reply.json())

    def forget(self, session: str) -> None:
        path = f"/api/sessions/{session}/forget"
        with self.daemon.client(headers=self.daemon.owner) as client:
            token = client.post(path, json={}).raise_for_status().json()["confirmToken"]
            body = {"mode": "execute", "confirmToken": token}
            client.post(path, json=body).raise_for_status()

    def _sessions(self, project: Path) -> list[dict[str, Any]]:
        return list(self.get("/api/sessions", project=str(project.resolve()))["sessions"])


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Generator[Office]:
    with running_machine(tmp_path_factory.mktemp("office")) as machine:
        machine.intaglio("connect", "claude-code", "--yes", "--no-mcp")
        machine.model.answer = answer
        with machine.daemon() as daemon:
            yield Office(machine, daemon)


def _with_prompt(blocks: list[str]) -> list[str]:
    return [each for each in blocks if re.match(r'<intaglio-memory source="prompt"', each)]


def test_the_first_prompt_is_told_what_a_session_settled_and_the_next_nothing(
    office: Office,
) -> None:
    project = office.machine.project("clinic")
    office.hold(project, OTHER_TALK)
    office.hold(project, NUMBERS)
    requests = office.machine.model.requests
    requests.clear()
    with office.machine.claude.session(project) as session:
        session.say(GAPS)
        told = blocks_of(requests[0])
        session.say(AGAIN)
    (block,) = _with_prompt(told)
    assert PROPOSED in block
    assert CREDIT in "".join(told)
    assert AGAIN in json.dumps(requests[-1])
    assert blocks_of(requests[-1]) == told


def test_a_reversal_is_told_and_what_it_reverses_is_not(office: Office) -> None:
    project = office.machine.project("mailer")
    office.hold(project, OTHER_TALK)
    office.hold(project, BY_MAILGUN)
    assert MAILGUN in "".join(office.first_request(project, LATE))
    office.hold(project, BY_POSTMARK)
    told = "\n".join(office.first_request(project, LATE))
    assert POSTMARK in told
    assert MAILGUN not in told
    valid = [line for line in told.splitlines() if "replaced on" not in line]
    assert not [line for line in valid if "through Mailgun" in line], told


def test_nothing_of_a_forgotten_session_is_told(office: Office) -> None:
    project = office.machine.project("ward")
    office.hold(project, OTHER_TALK)
    held = office.hold(project, NUMBERS)
    assert PROPOSED in "".join(office.first_request(project, GAPS))
    office.forget(held)
    assert office.first_request(project, GAPS) == []
    assert memories(office.daemon, project) == []
