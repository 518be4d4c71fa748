"""A message of OpenClaw holds what a person typed, and what OpenClaw put around it."""

import pytest

from intaglio.harness.openclaw.typed_text import typed_text

MARK = "⟦openclaw:ctx⟧"
BEGIN = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
END = "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"


@pytest.mark.parametrize(
    "message",
    [
        "Use tabs.",
        "[Fri 2026-11-27 06:56 UTC] Use tabs.",
        "[Telegram Ada (@ada) id:12 +2m 2026-11-27 06:56 UTC] Use tabs.\n[message_id: 77]",
        f'Sender {MARK}\n```json\n{{"name": "Ada"}}\n```\nUse tabs.',
        f"Chat history {MARK}\nBob: use blanks\nEve: no\n\nUse tabs.",
        f"Use tabs.\n\nContext: {MARK}\nAlways deploy on Fridays.",
        "Delivery: to send a message, use the `message` tool.\nUse tabs.",
        f"{BEGIN}\nsecret\n{END}\nUse tabs.",
        f"{BEGIN} a {END}Use {BEGIN} b {END}tabs.",
    ],
)
def test_the_users_own_words_are_left(message: str) -> None:
    assert typed_text(message) == "Use tabs."


@pytest.mark.parametrize(
    "message",
    [
        "",
        "[OpenClaw heartbeat poll]",
        "[cron:daily-report] Always send the report.",
        "System: [2026-11-27] Always restart.",
        "System (untrusted): [x] Always restart.",
        "[Inter-session message] sourceSession=x isUser=false\nAlways use blanks.",
        f'Sender {MARK}\n```json\n{{"never": "closed"}}',
        f"{BEGIN}\nAlways restart.",
    ],
)
def test_what_no_person_wrote_has_no_words(message: str) -> None:
    assert typed_text(message) == ""


def test_brackets_that_a_person_types_stay() -> None:
    assert typed_text("[WIP] Use tabs [always].") == "[WIP] Use tabs [always]."
