"""Generates a long transcript of ordinary work with no statement worth keeping, for junk counts."""

import random
from collections.abc import Iterator
from typing import Final

_FILES: Final = (
    *("parser.py", "src/cart/total.ts", "Makefile", "worker.go", "db/schema.sql", "App.svelte"),
    *("tests/test_login.py", "deploy.yaml", "lib/auth.rs", "index.html", "player.cs", "etl.sql"),
)
_THINGS: Final = (
    *("the retry loop", "the login form", "the export", "the date picker", "this endpoint"),
    *("the cache", "the second migration", "the progress bar", "the CSV import", "that query"),
)
_ORDERS: Final = (
    "can you fix {thing}?", "add a test for {thing}", "rename it to {name} in {file}",
    "look at {file} and tell me what happens when the list is empty", "revert the last change",
    "make {thing} a bit faster", "please explain {thing} to me", "move the helper to {file}",
    "run the tests again", "use a set there", "drop the second argument", "show me the diff",
    "put a log line before {thing}", "now the same for {file}", "don't touch {file} for now",
    "write a short message for the commit", "undo that", "try it without {thing}",
    "add {number} more rows to the fixture", "make the button blue", "never mind, next one",
    "leave {thing} as it is for this PR", "always the same error here, check {file}",
)  # fmt: skip
_STATUS: Final = (
    "the build is green again", "it crashes when I open {file}", "works now, thanks",
    "hm, {number} tests fail", "still the same error", "I see nothing in the console",
    "that took {number} seconds", "{thing} looks better", "back from lunch", "ok", "perfect",
    "we're nearly there", "the server is down again", "{file} has {number} lines, wow",
    "the customer is on the phone", "I get a 500 from {thing}", "not sure I understand",
)  # fmt: skip
_QUESTIONS: Final = (
    "why does {thing} run twice?", "should we split {file}?", "is {thing} tested at all?",
    "what does the {number} in {file} mean?", "do we need {thing} in every test?",
    "would it be better to use a queue?", "how do others handle {thing}?",
)  # fmt: skip
_OTHERS: Final = (
    "maybe we could use a queue one day", "the other team always rebases",
    "if this were my project I'd rewrite {file}", "we used to have {thing} in {file}",
    "someone on the forum says to never use threads", "I wonder whether {thing} is needed",
    "marketing would like it in pink", "the docs say to always call close()",
)  # fmt: skip
_LOG: Final = (
    "2026-01-12 10:0{digit}:11 ERROR {name} failed: timeout after {number} ms\n"
    "2026-01-12 10:0{digit}:12 WARN  you should increase the pool size\n"
    "2026-01-12 10:0{digit}:13 INFO  restarted"
)
_TRACE: Final = (
    'Traceback (most recent call last):\n  File "{file}", line {number}, in main\n'
    "ValueError: {name} must not be empty"
)
_GUIDE: Final = (
    "## Contributing\n\n- Always run the linter before you push.\n- Never commit to main.\n"
    "- Use {name} for new modules.\n- Every function must have a docstring."
)
_TESTS: Final = (
    "FAIL {file}\n  expected {number} to be {digit}\nTests: {digit} failed, {number} passed"
)
_CODE: Final = (
    "const {name} = {number};\nif ({name} > {digit}) {{\n  throw new Error('{name}');\n}}"
)
_PASTES: Final = (_LOG, _TRACE, _GUIDE, _TESTS, _CODE)
_NAMES: Final = ("total", "userId", "fetchAll", "retry_count", "Cart", "parse_line", "Worker")


def working_day(turns: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield ``turns`` messages of a user, each with the agent's message before it."""
    chance = random.Random(seed)  # noqa: S311 - the same day on each run
    before = ""
    for _ in range(turns):
        kinds = chance.choices(
            (_ORDERS, _STATUS, _QUESTIONS, _OTHERS, _PASTES),
            (8, 5, 3, 2, 2),
            k=chance.randint(1, 4),
        )
        parts = [chance.choice(kind).format(**_words(chance)) for kind in kinds]
        joined = ""
        for kind, part in zip(kinds, parts, strict=True):
            separator = "\n" if kind is _PASTES or joined.endswith("\n") else ". "
            joined += (separator if joined else "") + part + ("\n" if kind is _PASTES else "")
        yield joined.strip(), before
        words = _words(chance)
        before = f"I changed {words['file']} and ran {words['number']} tests."


def _words(chance: random.Random) -> dict[str, object]:
    return {
        "file": chance.choice(_FILES),
        "thing": chance.choice(_THINGS),
        "name": chance.choice(_NAMES),
        "number": chance.randint(11, 900),
        "digit": chance.randint(0, 9),
    }
