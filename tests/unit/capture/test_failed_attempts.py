"""What users say was tried and failed, or isn't to be tried again; and what only sounds like it."""

from typing import Final

import pytest

from intaglio.capture.judge import judge, read_turn
from intaglio.capture.values import Statement, Thresholds

AGENT: Final = (
    "I've switched the job queue to Redis streams with consumer groups. All tests pass locally.\n\n"
    "Let me know if you want the old table removed."
)
SWITCHED: Final = "I've switched the job queue to Redis streams with consumer groups."
THRESHOLDS: Final = Thresholds(keep=0.7, suggest=0.54)


def learnings(message: str, before: str = "", thresholds: Thresholds = THRESHOLDS) -> list[str]:
    return [each.content for each in _found(message, before, thresholds)]


def _found(message: str, before: str, thresholds: Thresholds) -> list[Statement]:
    said = judge(read_turn(message, before), None, thresholds).statements
    return [each for each in said if each.type == "learning"]


@pytest.mark.parametrize(
    "message",
    [
        "We tried pgbouncer in transaction mode already, it broke prepared statements.",
        "We already tried caching the sessions in Redis. It made logins slower, so leave it out.",
        "The advisory locks deadlock under load. Undo that and never go back to them.",
        "Don't try Redis streams for the queue again.",
        "Let's not use `pool_pre_ping` again, it doubled the latency last time.",
        "I tried the async driver before, it leaked connections.",
        "The mmap approach is a dead end, it corrupts the index on Windows.",
        "Don't go back to long polling, it brought down the gateway in March.",
        "Please don't reintroduce lodash, it blew up the bundle size.",
        "We went with Kafka once, it ended in a disaster. Not again.",
        "Stop trying to mock the clock again, it breaks asyncio.",
        "Wir haben pgbouncer im Transaktionsmodus schon probiert, das ist gescheitert.",
        "Ya probamos webpack 5, no funcionó.",
        "On a déjà essayé Redis Streams, ça n'a pas marché.",
        "我们之前试过 Redis Streams\uff0c会丢数据。",
    ],
)
def test_a_failed_attempt_is_kept_in_the_users_words(message: str) -> None:
    assert learnings(message) == [message]


@pytest.mark.parametrize(
    "message",
    [
        "That did not work, don't try it again",
        "That didn't work: messages got lost. Don't try that approach again.",
        "Please revert your last change. It broke the login page, and don't do that again.",
        "Das hat nicht funktioniert, versuch das nicht nochmal.",
        "これは動かなかった。もう試さないで。",
    ],
)
def test_that_is_what_the_agent_says_it_did(message: str) -> None:
    [found] = learnings(message, AGENT)
    assert found.startswith(f'The agent tried: "{SWITCHED}" It failed. The user said: "')
    assert not learnings(message, "The error comes from the cache. You could check the logs.")
    assert not learnings(message)


def test_of_several_attempts_the_one_that_the_user_speaks_of() -> None:
    before = (
        "Here is what I did:\n- Replaced the ORM query in the report with raw SQL\n"
        "- Moved the images to the CDN\n- Updated the fixtures\n- Renamed the helper module"
    )
    [found] = learnings("That made the report slower. Never try that again.", before)
    assert '"Replaced the ORM query in the report with raw SQL"' in found
    assert not learnings("That didn't work. Never try that again.", before)


def test_what_is_named_needs_no_words_of_the_agent() -> None:
    said = "no, undo that, SQLite WAL deadlocks on the NFS mount \u2014 don't go back to it"
    assert learnings(said, AGENT) == [said.removeprefix("no, ")]


@pytest.mark.parametrize(
    "message",
    [
        # Reports of what happens now.
        "I tried to run the app but I got the following error:",
        "I tried the new build and it still crashes.",
        "It failed again. Can you fix it?",
        "We tried upgrading to v3 but the build fails. Can you fix it?",
        "I've already tried restarting, didn't help. Please find the cause.",
        "you already tried that, what else could it be?",
        "That didn't work.",
        "still broken, try again",
        "it failed, run it again",
        "Try again, it failed because I had not started docker.",
        # Orders, and rules of their own.
        "undo that",
        "Please revert the last change.",
        "don't commit again without asking me",
        "Please never again push directly to main.",
        "Don't use npm again in this repo, we use pnpm.",
        "Don't try to expose a universal API.",
        "Never delete the volume again!",
        "you broke the tests, fix them and don't touch the config again",
        "keep away from the production database",
        # What a program does.
        "Never try the payment again after a decline.",
        "On 4xx errors, don't try again.",
        "When login fails three times, don't try again and lock the account.",
        "the client must not try to connect again when the token is wrong",
        "The retry logic tried again and failed.",
        # Conditions, doubts, others' attempts, and what worked in the end.
        "If the upload fails, never try it again without asking.",
        "Don't try again until I've restarted the server.",
        "Maybe don't try that again.",
        "Should we try Redis again?",
        "At my old job we tried microservices and it failed.",
        "We tried Kafka first, it broke at first but works great now.",
        "We tried Vim and Emacs already, both fine.",
        'The doc says "we tried X already and it broke Y".',
        "Users tried the export and it failed.",
    ],
)
def test_what_is_no_failed_attempt(message: str) -> None:
    assert not learnings(message, AGENT)


def test_a_sentence_about_a_failed_attempt_is_no_rule() -> None:
    message = "Never use the global lock again, it deadlocks the importer."
    sure = Thresholds(keep=0.0, suggest=0.0)
    assert [each.type for each in judge(read_turn(message, ""), None, sure).statements] == [
        "learning"
    ]


def test_a_rule_beside_it_stays_a_rule() -> None:
    message = "From now on we always deploy with Nomad. We tried Swarm already, it lost volumes."
    found = judge(read_turn(message, ""), None, THRESHOLDS).statements
    assert [each.type for each in found if each.outcome == "kept"] == ["rule", "learning"]


def test_who_wants_to_be_asked_about_everything_is() -> None:
    [found] = _found("Don't try Redis streams again.", "", Thresholds(keep=1.0, suggest=0.5))
    assert found.outcome == "suggested"


def test_what_was_pasted_is_no_attempt_of_the_user() -> None:
    quoted = "From the guidelines: We tried Swarm already, it lost volumes."
    assert not learnings(quoted)
    assert not learnings(f"look\n```\n{'We tried Swarm already, it lost volumes.'}\n```")
