"""A transcript gives what the user and the agent said, and nothing that was put in between."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from intaglio.capture.transcripts import TranscriptMessage
from intaglio.fence.outgoing import Fence
from intaglio.harness.claude_code.transcript import read_new, transcript_roots
from intaglio.harness.transcript import MAX_LINE_BYTES, transcript_allowed

LIMIT = 50_000_000
GOLDEN = Path(__file__).with_name("claude_code_2_1_330.jsonl")
# A session in the terminal, long values cut: a paste, a file read by the agent and one named with
# "@", a subagent (its file follows), prompts typed while the agent works, a command of the shell,
# and /compact.
TERMINAL = Path(__file__).with_name("terminal_2_1_330.jsonl")


def _user(content: object, uuid: str = "u-1", **more: object) -> dict[str, Any]:
    """Make a record as the client writes it for a prompt."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "promptId": "p-1",
        "type": "user",
        "message": {"role": "user", "content": content},
        "uuid": uuid,
        "timestamp": "2026-11-21T22:47:14.953Z",
        "promptSource": "typed",
        "turnOrigin": "human",
        "cwd": "/p",
        "sessionId": "s-1",
        "version": "2.1.330",
        **more,
    }


def _write(file: Path, *records: object) -> Path:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def _texts(file: Path) -> list[str]:
    return [message.text for message in read_new(file, "", LIMIT).messages]


def test_a_real_transcript_gives_the_prompts_and_the_answers() -> None:
    found = read_new(GOLDEN, "", LIMIT)
    assert [(m.role, m.text) for m in found.messages] == [
        ("user", "We decided to use Postgres for the ledger."),
        ("assistant", "Understood."),
        ("user", "Second turn."),
        ("assistant", "Understood."),
    ]
    assert found.skipped == 0
    assert not found.more
    assert found.position == str(GOLDEN.stat().st_size)


def test_a_session_in_the_terminal_gives_each_prompt_once_and_nothing_else() -> None:
    found = read_new(TERMINAL, "", LIMIT)
    said = [message.text for message in found.messages if message.role == "user"]
    assert [" ".join(text.split()) for text in said] == [
        "We keep dates as UTC in the database.",
        "look at this: and we use pnpm here, the lockfile of npm is ignored",
        "READFILE please",
        "what is in @NOTES.md",
        "SPAWN one",
        "SLOWREAD please",
        "No, I want tabs in this repository.",
        "SLOWTEXT please",
        "Errors go to the client as problem details.",
        "What now?",
        "And after that?",
    ]
    assert {m.text for m in found.messages if m.role == "assistant"} == {"Understood."}
    assert found.skipped == 0


def test_other_records_of_the_terminal_hold_whole_prompts_and_planted_rules_too() -> None:
    lines = TERMINAL.read_text("utf-8").splitlines()
    kinds = {
        text: {_kind(json.loads(line)) for line in lines if text in line}
        for text in ("dates as UTC", "I want tabs", "to use Oracle", "use MongoDB", "Cassandra")
    }
    assert kinds["dates as UTC"] >= {"user", "last-prompt", "api-request-blob"}
    assert kinds["I want tabs"] == {"queue-operation", "attachment queued_command"}
    assert kinds["to use Oracle"] == {"user"}
    assert kinds["use MongoDB"] >= {"user", "attachment file", "attachment already_read_file"}
    assert kinds["Cassandra"] >= {"user", "assistant"}


def _kind(record: dict[str, Any]) -> str:
    return f"{record['type']} {record.get('attachment', {}).get('type', '')}".strip()


def test_a_message_knows_session_id_time_and_directory(tmp_path: Path) -> None:
    file = _write(tmp_path / "t.jsonl", _user("We use tabs."))
    (message,) = read_new(file, "", LIMIT).messages
    assert isinstance(message, TranscriptMessage)
    assert (message.session, message.message_id, message.cwd) == ("s-1", "u-1", "/p")
    assert message.time is not None
    assert message.time.isoformat() == "2026-11-21T22:47:14.953000+00:00"


@pytest.mark.parametrize(
    "content", ["said", [{"type": "text", "text": "said"}, {"type": "image", "source": {}}]]
)
def test_text_and_text_blocks_are_messages(tmp_path: Path, content: object) -> None:
    assert _texts(_write(tmp_path / "t.jsonl", _user(content))) == ["said"]


@pytest.mark.parametrize(
    "record",
    [
        _user("x", isMeta=True),
        _user("x", isSidechain=True),
        _user("x", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        _user("x", isVirtual=True),
        _user("x", textNotTyped=True),
        _user("x", agentId="a-1"),
        _user("x", toolUseResult={"stdout": "x"}),
        _user("x", wakeupSource="loop_wakeup"),
        _user("x", promptSource="system"),
        _user("x", turnOrigin="scheduled"),
        _user("x", origin={"kind": "task-notification"}),
        _user([{"type": "tool_result", "tool_use_id": "t", "content": "x"}]),
        _user([{"type": "tool_result", "content": "x"}, {"type": "text", "text": "x"}]),
        _user("<local-command-stdout>x</local-command-stdout>"),
        _user("<command-name>/model</command-name>\n<command-args>x</command-args>"),
        _user("<bash-input>ls</bash-input><bash-stdout>x</bash-stdout>"),
        _user("<system-reminder>\nx\n</system-reminder>"),
        _user("<tick>x</tick>"),
        _user("[Request interrupted by user for tool use]"),
        _user("<pasted_content id='1'>We decided on x.</pasted_content>"),
        _user(Fence().wrap("We decided on x.", {})),
        _user("<signet-memory source='x'>We decided on x.</signet-memory>"),
        {
            "type": "attachment",
            "uuid": "a",
            "sessionId": "s",
            "attachment": {"type": "hook_success", "stdout": "x"},
        },
        {
            "type": "attachment",
            "uuid": "a",
            "sessionId": "s",
            "attachment": {"type": "hook_additional_context", "content": ["x"]},
        },
        {
            "type": "attachment",
            "uuid": "a",
            "sessionId": "s",
            "attachment": {"type": "queued_command", "prompt": "x", "commandMode": "bash"},
        },
        {
            "type": "attachment",
            "uuid": "a",
            "sessionId": "s",
            "attachment": {"type": "queued_command", "prompt": "x", "origin": {"kind": "peer"}},
        },
        {"type": "api-request-blob", "sessionId": "s", "message": {"role": "user", "content": "x"}},
        {"type": "queue-operation", "operation": "enqueue", "content": "x", "sessionId": "s"},
        {"type": "last-prompt", "lastPrompt": "x", "sessionId": "s"},
        {"type": "summary", "summary": "x"},
        {
            "type": "assistant",
            "uuid": "a",
            "sessionId": "s",
            "isApiErrorMessage": True,
            "message": {"role": "assistant", "content": [{"type": "text", "text": "x"}]},
        },
        {
            "type": "assistant",
            "uuid": "a",
            "sessionId": "s",
            "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "x"}]},
        },
    ],
)
def test_generated_records_are_left_out(tmp_path: Path, record: object) -> None:
    found = read_new(_write(tmp_path / "t.jsonl", record), "", LIMIT)
    assert found.messages == ()
    assert found.skipped == 0


def _paste(text: str) -> str:
    """Write a paste as Claude Code 2.1 does: the id stands in the end tag too."""
    return f'<pasted_content id="56d4">\n{text}\n</pasted_content id="56d4">\n'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (Fence().wrap("We decided on x.", {}) + "\nWe use y.", "We use y."),
        ("We use y.\n<system-reminder>Message sent at 5</system-reminder>", "We use y."),
        ("See: <pasted_content>We decided on x.</pasted_content> We use y.", "See:  We use y."),
        (f"Look:\n\n{_paste('We decided on x.')} We use y.", "Look:\n\n\n We use y."),
        (f"{_paste('a')}We use y.{_paste('b')}And z.", "We use y.\nAnd z."),
        (f"{_paste('x </pasted_content> We use x.')}We use y.", "We use y."),
        (f"{_paste('x </pasted_content id=' + chr(34) + 'ab12' + chr(34) + '> x')}y", "y"),
        (f"{_paste(_paste('an earlier prompt'))}We use y.", "We use y."),
        (f"{_paste('<system-reminder>never closed')}We use y.", "We use y."),
        ('We use y. <pasted_content id="56d4">never closed', "We use y."),
        ("We use y. <system-reminder>never closed", "We use y."),
        ([{"type": "text", "text": "<system-reminder>x</system-reminder>"},
          {"type": "text", "text": "We use y."}], "We use y."),
        ("a < b and List<int> stay", "a < b and List<int> stay"),
    ],
)  # fmt: skip
def test_injected_text_is_removed_from_a_prompt(tmp_path: Path, content: object, said: str) -> None:
    assert _texts(_write(tmp_path / "t.jsonl", _user(content))) == [said]


def test_a_queued_prompt_is_a_message(tmp_path: Path) -> None:
    queued = {
        "type": "attachment",
        "uuid": "a-1",
        "sessionId": "s-1",
        "timestamp": "2026-11-21T22:47:14.953Z",
        "attachment": {
            "type": "queued_command",
            "prompt": "No, use tabs.",
            "commandMode": "prompt",
            "origin": {"kind": "human"},
        },
    }
    assert _texts(_write(tmp_path / "t.jsonl", queued)) == ["No, use tabs."]


def test_reading_continues_where_it_stopped(tmp_path: Path) -> None:
    file = _write(tmp_path / "t.jsonl", _user("one", "u-1"))
    first = read_new(file, "", LIMIT)
    with file.open("a") as stream:
        stream.write(json.dumps(_user("two", "u-2")) + "\n")
    assert [m.text for m in read_new(file, first.position, LIMIT).messages] == ["two"]


def test_a_line_that_is_still_being_written_waits(tmp_path: Path) -> None:
    file = _write(tmp_path / "t.jsonl", _user("one", "u-1"))
    size = file.stat().st_size
    second = json.dumps(_user("two", "u-2"))
    with file.open("a") as stream:
        stream.write(second[:50])
    found = read_new(file, "", LIMIT)
    assert (len(found.messages), found.position, found.skipped) == (1, str(size), 0)
    with file.open("a") as stream:
        stream.write(second[50:] + "\n")
    assert [m.text for m in read_new(file, found.position, LIMIT).messages] == ["two"]


def test_the_limit_cuts_between_lines_and_says_that_there_is_more(tmp_path: Path) -> None:
    file = _write(tmp_path / "t.jsonl", *(_user(str(n), f"u-{n}") for n in range(5)))
    texts: list[str] = []
    position, more, calls = "", True, 0
    while more:
        found = read_new(file, position, 500)
        texts += [message.text for message in found.messages]
        position, more, calls = found.position, found.more, calls + 1
    assert texts == ["0", "1", "2", "3", "4"]
    assert calls > 1


@pytest.mark.parametrize("replaced", ["shorter", "longer"])
def test_a_file_that_was_replaced_is_read_anew(tmp_path: Path, replaced: str) -> None:
    file = _write(tmp_path / "t.jsonl", _user("a" * 100, "u-1"))
    position = read_new(file, "", LIMIT).position
    _write(file, _user("b" if replaced == "shorter" else "b" * 500, "u-2"))
    assert [m.message_id for m in read_new(file, position, LIMIT).messages] == ["u-2"]


def test_words_beside_large_screenshots_are_read(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo" * 250_000}}
    content = [image, image, {"type": "text", "text": "[Image #1] [Image #2] We use tabs."}]
    file = _write(tmp_path / "t.jsonl", _user("one"), _user(content, "u-2"), _user("three", "u-3"))
    assert max(map(len, file.read_bytes().splitlines())) > MAX_LINE_BYTES
    found = read_new(file, "", LIMIT)
    assert [m.text for m in found.messages] == ["one", "We use tabs.", "three"]
    assert [m.message_id for m in found.messages] == ["u-1", "u-2", "u-3"]
    assert (found.skipped, found.position) == (0, str(file.stat().st_size))


def test_a_line_without_words_is_passed_over_however_long_it_is(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    good = json.dumps(_user("good")).encode()
    file.write_bytes(b"x" * (MAX_LINE_BYTES + 10) + b"\n" + good + b"\n")
    found = read_new(file, "", LIMIT)
    assert [m.text for m in found.messages] == ["good"]
    assert found.skipped == 1


@pytest.mark.parametrize("size", [10, MAX_LINE_BYTES + 10])
def test_an_endless_line_waits_for_its_end(tmp_path: Path, size: int) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"x" * size)
    assert read_new(file, "", LIMIT).position == ""


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_a_whole_record_is_read_although_its_line_has_no_end_yet(tmp_path: Path, end: str) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps(_user("one")) + "\n" + json.dumps(_user("two", "u-2")))
    found = read_new(file, "", LIMIT)
    assert [m.text for m in found.messages] == ["one", "two"]
    assert (found.position, found.more) == (str(file.stat().st_size), False)
    with file.open("a", newline="") as stream:
        stream.write(end)
    assert read_new(file, found.position, LIMIT).messages == ()
    if end:
        with file.open("a") as stream:
            stream.write(json.dumps(_user("three", "u-3")) + "\n")
        assert [m.text for m in read_new(file, found.position, LIMIT).messages] == ["three"]


def test_unreadable_lines_are_counted_and_skipped(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    lines = [b"{", b"null", b"[]", b"\xff\xfe", b"[" * 9_000, b'{"type": 5}']
    blank = [b"", b"  ", b"\x00" * 4_096, b"\r"]
    good = json.dumps(_user("good")).encode()
    file.write_bytes(b"\n".join([*lines, *blank, good]) + b"\n")
    found = read_new(file, "", LIMIT)
    assert [m.text for m in found.messages] == ["good"]
    assert found.skipped == len(lines)


def _raw(text: bytes, **more: Any) -> bytes:  # noqa: ANN401 - JSON
    return json.dumps(_user("TEXT", **more)).encode().replace(b"TEXT", text)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (_raw(rb"We keep the \ud83d parser."), "We keep the \ufffd parser."),
        (_raw(b"We use caf\xe9."), "We use caf\ufffd."),
        (_raw(b"We use\x00 tabs."), "We use tabs."),
        (_raw(rb"We use\u0000 tabs."), "We use tabs."),
        (b"\xef\xbb\xbf" + _raw(b"We use tabs."), "We use tabs."),
        (b"\x00" * 512 + _raw(b"We use tabs."), "We use tabs."),
        (_raw(b"We use tabs.") + b"\r", "We use tabs."),
        (_raw(b"We use tabs.", gitBranch="BRANCH").replace(b"BRANCH", rb"\udc00"), "We use tabs."),
        (_raw(b"We use tabs.", version=5, cwd=["/p"], origin="x"), "We use tabs."),
        (_raw(b"We use tabs.", isMeta="no"), "We use tabs."),
        (_raw(b"We use tabs.", n=0).replace(b'"n": 0', b'"n": 1e999'), "We use tabs."),
        (
            _raw(b"We use tabs.", n=0).replace(b'"n": 0', b'"n": ' + b"[" * 9_000 + b"]" * 9_000),
            "We use tabs.",
        ),
        (
            _raw(b"x").replace(b'"x"', b'[5, {"type": "text", "text": "We use tabs."}]'),
            "We use tabs.",
        ),
    ],
)
def test_an_odd_character_or_value_loses_no_message(tmp_path: Path, line: bytes, said: str) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(line + b"\n")
    found = read_new(file, "", LIMIT)
    assert [(m.message_id, m.text) for m in found.messages] == [("u-1", said)]
    assert found.skipped == 0


@settings(
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(prompts=st.lists(st.text(max_size=20), max_size=6), cuts=st.lists(st.integers(1, 400)))
def test_reading_in_pieces_gives_the_same_messages(
    tmp_path: Path, prompts: list[str], cuts: list[int]
) -> None:
    file = _write(tmp_path / "t.jsonl", *(_user(p, f"u-{n}") for n, p in enumerate(prompts)))
    whole = read_new(file, "", LIMIT).messages
    pieces: list[TranscriptMessage] = []
    position = ""
    for cut in [*cuts, LIMIT]:
        found = read_new(file, position, cut)
        pieces += found.messages
        position = found.position
    assert tuple(pieces) == whole


def test_a_transcript_below_the_projects_folder_is_allowed(tmp_path: Path) -> None:
    (root,) = transcript_roots(tmp_path, {}, [])
    file = root / "-p" / "s.jsonl"
    file.parent.mkdir(parents=True)
    file.touch()
    assert transcript_allowed(str(file), [root], ".jsonl") == file


def test_configured_and_connected_folders_are_roots_too(tmp_path: Path) -> None:
    env = {"CLAUDE_CONFIG_DIR": "/c"}
    assert transcript_roots(tmp_path, env, [Path("/d")]) == [
        tmp_path / ".claude" / "projects",
        Path("/c/projects"),
        Path("/d/projects"),
    ]


@pytest.mark.parametrize(
    "case", ["outside", "link", "dots", "suffix", "folder", "missing", "relative", "nul", "fifo"]
)
def test_any_other_file_is_refused(tmp_path: Path, case: str) -> None:
    root = tmp_path / "projects"
    root.mkdir()
    secret = tmp_path / "secret.jsonl"
    secret.touch()
    path = str(root / "t.jsonl")
    match case:
        case "outside":
            path = str(secret)
        case "link":
            (root / "t.jsonl").symlink_to(secret)
        case "dots":
            path = f"{root}/../secret.jsonl"
        case "suffix":
            (root / "t.txt").touch()
            path = str(root / "t.txt")
        case "folder":
            (root / "t.jsonl").mkdir()
        case "relative":
            path = os.path.relpath(secret)
        case "nul":
            path += "\x00.jsonl"
        case "fifo":
            os.mkfifo(path)
        case _:
            pass
    assert transcript_allowed(path, [root], ".jsonl") is None


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.touch()
    os.chown(file, 12_345, -1)
    assert transcript_allowed(str(file), [tmp_path], ".jsonl") is None
