"""Exports are read once, in bounded memory, whatever they hold; hostile ones are refused."""

import io
import json
import random
import resource
import struct
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fakes.exports import Said, chatgpt_conversation, claude_said, zipped
from intaglio.history_import.exports import archive, stored_export
from intaglio.history_import.exports.archive import UnreadableExportError
from intaglio.history_import.exports.export_reader import ExportReader, ReadExport
from intaglio.history_import.exports.json_elements import LARGE_BYTES, JsonElements
from intaglio.history_import.exports.stored_export import StoredExport

NOW = datetime(2026, 6, 1, tzinfo=UTC)
RULE = "We always use tabs in this project."


def read(folder: Path, data: bytes) -> tuple[ReadExport, StoredExport]:
    file = folder / "data"
    file.write_bytes(data)
    return ExportReader(NOW, lambda: None).read(file, folder), StoredExport(
        folder, "data.zip", "ChatGPT"
    )


def ids(stored: StoredExport) -> list[str]:
    return sorted(each.transcript.session for each in stored.sessions())


def refusal(folder: Path, data: bytes) -> str:
    with pytest.raises(UnreadableExportError) as refused:
        read(folder, data)
    assert refused.value.hint
    return refused.value.detail


def conversations(count: int, text: str = RULE) -> list[dict[str, object]]:
    return [chatgpt_conversation(f"c{n}", [("user", text)]) for n in range(count)]


def packed(*said: dict[str, object]) -> bytes:
    return zipped({"conversations.json": list(said)})


def test_a_zip_of_chatgpt_is_read(tmp_path: Path) -> None:
    found, stored = read(
        tmp_path, zipped({"chat.html": b"<p>", "conversations.json": conversations(3)})
    )
    assert found == ReadExport("chatgpt", 3)
    assert ids(stored) == ["c0", "c1", "c2"]
    assert stored.read("c1", "", 1_000).messages[0].text == RULE


def test_a_zip_of_split_conversations_is_read(tmp_path: Path) -> None:
    files: dict[str, object] = {
        f"conversations-{n:03}.json": [chatgpt_conversation(f"c{n}", [("user", RULE)])]
        for n in range(3)
    }
    assert read(tmp_path, zipped({"export_manifest.json": {}, **files}))[0].conversations == 3


def test_a_zip_of_claude_is_read(tmp_path: Path) -> None:
    files = {
        "users.json": [],
        "projects.json": [],
        "conversations.json": [claude_said("c", [("user", RULE)])],
    }
    assert read(tmp_path, zipped(files))[0] == ReadExport("claude-ai", 1)


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\n  "])
def test_plain_json_is_read(tmp_path: Path, before: bytes) -> None:
    data = before + json.dumps([claude_said("c", [("user", RULE)])]).encode()
    assert ids(read(tmp_path, data)[1]) == ["c"]


def test_conversations_one_a_line_and_a_single_one_are_read(tmp_path: Path) -> None:
    lines = b"\n".join(json.dumps(each).encode() for each in conversations(2))
    assert ids(read(tmp_path, lines)[1]) == ["c0", "c1"]
    assert ids(read(tmp_path, lines.splitlines()[0])[1]) == ["c0"]


def test_reading_continues_after_the_last_message_that_was_read(tmp_path: Path) -> None:
    said: list[Said] = [("user", f"Message {n}.") for n in range(6)]
    _, stored = read(tmp_path, packed(chatgpt_conversation("c", said)))
    first = stored.read("c", "", 1)
    assert ([each.text for each in first.messages], first.more) == (["Message 0."], True)
    rest = stored.read("c", first.position, 10_000, 10_000)
    assert [each.text for each in rest.preceding] == ["Message 0."]
    assert [each.text for each in rest.messages] == [text for _, text in said[1:]]
    assert not rest.more
    end = stored.read("c", rest.position, 10_000)
    assert (end.messages, end.position, end.more) == ((), rest.position, False)
    assert len(stored.read("c", "another", 10_000).messages) == len(said)


def test_of_two_conversations_with_one_id_the_longer_counts(tmp_path: Path) -> None:
    short = chatgpt_conversation("c", [("user", "One.")])
    long = chatgpt_conversation("c", [("user", "One."), ("user", "Two.")])
    for order in ((short, long), (long, short)):
        found, stored = read(tmp_path, packed(*order))
        assert found.conversations == 1
        assert len(stored.read("c", "", 10_000).messages) == 2


@pytest.mark.parametrize(
    "broken",
    [
        b'{"mapping": {"a": {"message": }}}',
        b'{"mapping": 3}',
        b'{"mapping": {"a": "\\x"}}',
        b'{"chat_messages": []}',
    ],
)
def test_a_broken_conversation_costs_no_other(tmp_path: Path, broken: bytes) -> None:
    whole = [json.dumps(each).encode() for each in conversations(2)]
    found, stored = read(tmp_path, b"[%s, %s, %s]" % (whole[0], broken, whole[1]))
    assert found.conversations == 2
    (bad,) = (each for each in ids(stored) if each not in {"c0", "c1"})
    assert bad == "conversation 2"
    with pytest.raises(OSError, match="isn't valid"):
        stored.read(bad, "", 1_000)


def test_invalid_characters_are_replaced(tmp_path: Path) -> None:
    text = json.dumps(conversations(1, "Half \ud83d of a pair, and an odd byte: @.")).encode()
    _, stored = read(tmp_path, text.replace(b"@", b"\xff").replace(b"Half", b"\x00Half"))
    said = stored.read("c0", "", 1_000).messages[0].text
    assert said.startswith("Half")
    said.encode()


def test_what_comes_before_the_end_of_a_cut_file_is_read(tmp_path: Path) -> None:
    data = json.dumps(conversations(3)).encode()
    found, stored = read(tmp_path, data[:-200])
    assert found.conversations == 2
    with pytest.raises(OSError, match="ends within it"):
        stored.read("conversation 3", "", 1_000)


def test_what_comes_before_damage_in_a_zip_is_read(tmp_path: Path) -> None:
    data = bytearray(zipped({"conversations.json": conversations(2_000)}, zipfile.ZIP_STORED))
    data[len(data) // 2] ^= 0xFF
    found, stored = read(tmp_path, bytes(data))
    assert found.conversations > 1_900
    assert "the end of the file" in ids(stored)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "neither a zip archive nor JSON"),
        (b"hello", "neither a zip archive nor JSON"),
        (b"<!DOCTYPE html>", "a web page"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"[]", "no conversations"),
        (b"[1, null, {}]", "no conversations"),
        (b"{" * 1_000_000, "no conversations"),
        (b"PK\x03\x04", "broken"),
        (b"PK\x05\x06" + b"\x00" * 18, "no conversations.json"),
        (
            zipped({"photo.jpg": b"x", "__MACOSX/._conversations.json": b"x"}),
            "no conversations.json",
        ),
        (zipped({"conversations.json": b"{}"}, zipfile.ZIP_LZMA), "unusual way"),
        (zipped({"conversations.json": conversations(9)})[:-30], "broken"),
    ],
)
def test_what_is_no_export_is_refused_with_a_hint(tmp_path: Path, data: bytes, said: str) -> None:
    assert said in refusal(tmp_path, data)


def test_an_archive_with_a_password_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped({"conversations.json": conversations(1)}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    assert "password" in refusal(tmp_path, bytes(data))


def test_a_file_that_unpacks_to_far_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "_MAY_REPEAT_BYTES", 100_000)
    bomb = json.dumps(conversations(1)).encode()[:-1] + b" " * 10_000_000 + b"]"
    assert "far more" in refusal(tmp_path, zipped({"conversations.json": bomb}))


def test_files_that_unpack_to_too_much_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 100_000)
    files: dict[str, object] = {f"conversations-{n}.json": conversations(50) for n in range(9)}
    assert "far more" in refusal(tmp_path, zipped(files))


def test_a_list_of_files_that_claims_to_be_huge_is_not_read(tmp_path: Path) -> None:
    data = bytearray(zipped({"conversations.json": conversations(1)}))
    struct.pack_into("<L", data, data.rindex(b"PK\x05\x06") + 12, 0xFFFF_FFF0)
    assert refusal(tmp_path, bytes(data)) in {
        "The archive has too many files.",
        "The archive is broken: Bad offset for central directory.",
    }


def test_names_that_lead_elsewhere_write_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "below"
    folder.mkdir()
    names = [
        "../conversations.json",
        "/conversations.json",
        "a\\..\\conversations.json",
        "x/../../conversations-1.json",
    ]
    packed_files = io.BytesIO()
    with zipfile.ZipFile(packed_files, "w") as made:
        for number, name in enumerate((*names, "conversations.json")):
            made.writestr(name, json.dumps([chatgpt_conversation(f"c{number}", [("user", RULE)])]))
    read(folder, packed_files.getvalue())
    assert [each.name for each in tmp_path.iterdir()] == ["below"]
    assert sorted(each.name for each in folder.iterdir()) == [
        "conversations.jsonl",
        "data",
        "index.jsonl",
    ]


def test_more_conversations_than_are_kept_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_export, "MAX_CONVERSATIONS", 3)
    assert "more conversations" in refusal(tmp_path, packed(*conversations(4)))


def test_only_their_owner_can_read_the_files(tmp_path: Path) -> None:
    read(tmp_path, packed(*conversations(1)))
    modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.glob("*.jsonl")}
    assert modes == {"conversations.jsonl": 0o600, "index.jsonl": 0o600}


def test_the_reading_ends_when_it_is_told_to(tmp_path: Path) -> None:
    def stop() -> None:
        raise InterruptedError

    (tmp_path / "data").write_bytes(packed(*conversations(2)))
    with pytest.raises(InterruptedError):
        ExportReader(NOW, stop).read(tmp_path / "data", tmp_path)


def test_elements_are_the_same_wherever_the_parts_are_cut() -> None:
    source = random.Random(7)  # noqa: S311 - repeatable values, no secret
    for _ in range(300):
        values = [{"key": _value(source, 0)} for _ in range(source.randrange(5))]
        text = json.dumps(values, ensure_ascii=source.random() < 0.5).encode()
        size = source.choice([1, 2, 3, 7, 1_000])
        parts = [text[at : at + size] for at in range(0, len(text), size)]
        assert [json.loads(each.text or b"") for each in JsonElements().read(parts)] == values


def _value(source: random.Random, depth: int) -> object:
    match source.randrange(5 if depth < 4 else 2):
        case 0:
            return source.choice(["", 'a"b', "\\", "{[", '\\"', "é\\\\", "]}"])
        case 1:
            return source.choice([1, None, True])
        case 2:
            return [_value(source, depth + 1) for _ in range(source.randrange(4))]
        case _:
            return {source.choice('a"\\c{') + str(n): _value(source, depth + 1) for n in range(3)}


def test_huge_texts_are_shortened_in_bounded_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = json.dumps(chatgpt_conversation("c", [("user", "@")])).encode()
    begin, end = start.split(b"@")

    def parts() -> Iterator[bytes]:
        yield b"[" + begin
        for _ in range(3_000):
            yield b"word \\n " * 10_000
        yield end + b"]"

    (element,) = JsonElements().read(parts())
    assert element.text is not None
    assert len(element.text) < 2 * LARGE_BYTES
    json.loads(element.text)
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kb < 60_000


@pytest.mark.parametrize("piece", [b"1,", b'{"a":1},'])
def test_a_conversation_of_countless_values_is_left_out(tmp_path: Path, piece: bytes) -> None:
    huge = b'{"mapping":{"a":{"message":{"content":{"parts":[%s1]}}}}}' % (piece * 700_000)
    found, stored = read(tmp_path, b"[%s,%s]" % (json.dumps(conversations(1)[0]).encode(), huge))
    assert found.conversations == 1
    assert len(stored.read("c0", "", 1_000).messages) == 1
