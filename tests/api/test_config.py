"""/api/config, /api/features and /api/identity, as the client contract has them."""

from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api


def workspace(api: Api) -> Path:
    return api.kernel.running.paths.workspace


async def write(api: Api, body: object) -> Any:  # noqa: ANN401 - a reply
    return await api.client.post("/api/config", json=body, headers=api.owner)


async def files(api: Api) -> dict[str, str]:
    reply = await api.client.get("/api/config")
    assert reply.status_code == 200, reply.text
    return {each["name"]: each["content"] for each in reply.json()["files"]}


async def test_the_text_files_of_the_workspace_are_listed_in_order(api: Api) -> None:
    for name in ("USER.md", "zoo.yaml", "Notes.md", "AGENTS.md", "agent.yaml", "IDENTITY.md"):
        (workspace(api) / name).write_text(f"# {name} é\n", encoding="utf-8")
    found = (await api.client.get("/api/config")).json()["files"]
    assert [each["name"] for each in found] == [
        *("agent.yaml", "AGENTS.md", "IDENTITY.md", "USER.md", "Notes.md", "zoo.yaml"),
    ]
    assert found[1] == {"name": "AGENTS.md", "content": "# AGENTS.md é\n", "size": 15}


async def test_nothing_but_text_files_directly_in_the_workspace_is_listed(
    api: Api, tmp_path: Path
) -> None:
    home = workspace(api)
    (home / "good.md").write_text("good")
    (home / ".hidden.yaml").write_text("a: 1")
    (home / "data.json").write_text("{}")
    (home / "agent.yaml.bak").write_text("a: 1")
    (home / "latin.md").write_bytes(b"caf\xe9")
    (home / "large.md").write_bytes(b"x" * 1_000_001)
    (home / "folder.md").mkdir()
    outside = tmp_path / "outside.md"
    outside.write_text("private")
    (home / "out.md").symlink_to(outside)
    (home / "database.md").symlink_to(home / "memory" / "intaglio.db")
    (home / "inside.md").symlink_to(home / "good.md")
    (home / "dangling.md").symlink_to(home / "gone.md")
    (home / "loop.md").symlink_to(home / "loop.md")
    assert await files(api) == {"good.md": "good", "inside.md": "good"}


async def test_the_list_stays_below_its_size_limit(api: Api) -> None:
    for number in range(12):
        (workspace(api) / f"n{number:02}.md").write_bytes(b"x" * 900_000)
    assert len(await files(api)) == 8


async def test_secrets_are_hidden_and_stay_when_the_file_comes_back(api: Api) -> None:
    text = "embedding:\n  api_key: 'sk-1234' # mine\nlist:\n- token: abc\n  name: x\n"
    (workspace(api) / "agent.yaml").write_text(text, encoding="utf-8")
    shown = (await files(api))["agent.yaml"]
    assert "sk-1234" not in shown
    assert "abc" not in shown
    assert "# mine" in shown
    edited = shown.replace("name: x", "name: y")
    assert (await write(api, {"file": "agent.yaml", "content": edited})).status_code == 200
    assert (workspace(api) / "agent.yaml").read_text() == text.replace("name: x", "name: y")
    moved = "other:\n  api_key: (hidden)\n"
    reply = await write(api, {"file": "agent.yaml", "content": moved})
    assert (reply.status_code, "hidden" in reply.json()["error"]) == (400, True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x: &a s3cret\nembedding: {api_key: *a}\n", "x: &a (hidden)\nembedding: {api_key: *a}\n"),
        (
            "embedding:\n  api_key: &k s3cret\nx: *k\n",
            "embedding:\n  api_key: &k (hidden)\nx: *k\n",
        ),
    ],
)
async def test_a_secret_that_an_alias_shares_is_hidden(api: Api, text: str, shown: str) -> None:
    file = workspace(api) / "agent.yaml"
    file.write_text(text)
    assert (await files(api))["agent.yaml"] == shown
    assert (await write(api, {"file": "agent.yaml", "content": shown})).status_code == 200
    assert file.read_text() == text


COMMENTED = (
    "# api_key: hunter2\n"
    "embedding:\r\n"
    "  base_url: http://user:pw@localhost:11434/ # as at home\n"
    "  model: m # token = abc, was: sk-proj-0123456789abcdefABCDEF\n"
    "  api_key: s3cret # password: t0p\n"
    "# api_key: hunter3\n"
    "# password:\n"
    "search: {alpha: 0.5}\n"
)


async def test_secrets_in_comments_and_addresses_are_hidden_and_stay(api: Api) -> None:
    file = workspace(api) / "agent.yaml"
    file.write_bytes(COMMENTED.encode())
    shown = (await files(api))["agent.yaml"]
    for secret in ("hunter", "pw@", "abc", "sk-proj", "s3cret", "t0p"):
        assert secret not in shown
    for said in ("# api_key: [redacted:", "http://user:", "# as at home", "# password:\n"):
        assert said in shown
    edited = {"file": "agent.yaml", "content": shown.replace("alpha: 0.5", "alpha: 0.25")}
    assert (await write(api, edited)).status_code == 200
    assert file.read_bytes() == COMMENTED.replace("0.5}", "0.25}").encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("localhost", "example.com"),
        ("# api_key: [redacted:password]\n", ""),
        ("search", "# token: [redacted:password]\nsearch"),
    ],
)
async def test_a_hidden_line_that_was_changed_is_refused_and_nothing_is_lost(
    api: Api, before: str, after: str
) -> None:
    file = workspace(api) / "agent.yaml"
    file.write_bytes(COMMENTED.encode())
    shown = (await files(api))["agent.yaml"]
    assert before in shown
    reply = await write(api, {"file": "agent.yaml", "content": shown.replace(before, after, 1)})
    assert (reply.status_code, "is hidden" in reply.json()["error"]) == (400, True)
    assert file.read_bytes() == COMMENTED.encode()


async def test_secrets_in_a_broken_file_are_hidden_and_not_lost(api: Api) -> None:
    file = workspace(api) / "agent.yaml"
    broken = "embedding:\n  api_key: s3cret\n bad: [\n"
    file.write_text(broken)
    assert (await files(api))["agent.yaml"] == broken.replace("s3cret", "(hidden)")
    mended = {"file": "agent.yaml", "content": "embedding:\n  api_key: (hidden)\n"}
    reply = await write(api, mended)
    assert (reply.status_code, "is hidden" in reply.json()["error"]) == (400, True)
    assert file.read_text() == broken


async def test_a_file_is_written_with_a_backup(api: Api) -> None:
    file = workspace(api) / "SOUL.md"
    reply = await write(api, {"file": "SOUL.md", "content": "calm\r\n"})
    assert (reply.status_code, reply.json()) == (200, {"success": True})
    assert file.read_bytes() == b"calm\r\n"
    assert not file.with_name("SOUL.md.bak").exists()
    await write(api, {"file": "SOUL.md", "content": "kind\n"})
    await write(api, {"file": "SOUL.md", "content": "wise\n"})
    assert file.read_text() == "wise\n"
    assert file.with_name("SOUL.md.bak").read_bytes() == b"calm\r\n"


async def test_settings_that_are_written_are_in_use_at_once(api: Api) -> None:
    await write(api, {"file": "agent.yaml", "content": "search: {alpha: 0.25}\n"})
    rows = (await api.client.get("/api/settings")).json()["settings"]
    assert next(row["value"] for row in rows if row["key"] == "search.alpha") == 0.25


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "Invalid request"),
        ({"file": "a.md"}, "Invalid request"),
        ({"file": 3, "content": "x"}, "Invalid request"),
        ({"file": "a.md", "content": None}, "Invalid request"),
        ({"file": "a.md", "content": ["x"]}, "Invalid request"),
        ({"file": "", "content": "x"}, "Invalid request"),
        ({"file": "../a.md", "content": "x"}, "Invalid file name"),
        ({"file": "sub/a.md", "content": "x"}, "Invalid file name"),
        ({"file": "a\\b.md", "content": "x"}, "Invalid file name"),
        ({"file": "a..md", "content": "x"}, "Invalid file name"),
        ({"file": ".hidden.md", "content": "x"}, "Invalid file name"),
        ({"file": "a\x00.md", "content": "x"}, "Invalid file name"),
        ({"file": "x" * 300 + ".md", "content": "x"}, "Invalid file name"),
        ({"file": "run.sh", "content": "x"}, "Invalid file type"),
        ({"file": "agent.yaml.bak", "content": "x"}, "Invalid file type"),
        ({"file": "agent.YAML", "content": "x"}, "Invalid file type"),
        ({"file": "agent.yaml", "content": "a: [1\n"}, "Invalid YAML"),
        ({"file": "agent.yaml", "content": "- 1\n"}, "Invalid YAML"),
        ([], "Invalid JSON body"),
    ],
)
async def test_a_bad_write_is_refused_in_the_words_of_the_contract(
    api: Api, body: object, said: str
) -> None:
    before = sorted(workspace(api).iterdir())
    reply = await write(api, body)
    assert reply.status_code == 400, reply.text
    assert reply.json()["error"].startswith(said) or said in reply.json()["title"], reply.text
    assert sorted(workspace(api).iterdir()) == before


async def test_broken_settings_are_refused_with_line_and_column(api: Api) -> None:
    reply = await write(api, {"file": "agent.yaml", "content": "a: 1\nb: [1\nc: 2\n"})
    assert (reply.status_code, reply.json()["line"], reply.json()["column"]) == (400, 3, 2)


async def test_a_file_over_the_limit_is_refused(api: Api) -> None:
    reply = await write(api, {"file": "a.md", "content": "x" * 1_000_001})
    assert reply.status_code == 413
    assert (await write(api, {"file": "a.md", "content": "\n" * 1_000_000})).status_code == 200


async def test_a_link_out_of_the_workspace_is_not_written(api: Api, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("private")
    (workspace(api) / "out.md").symlink_to(outside)
    reply = await write(api, {"file": "out.md", "content": "x"})
    assert (reply.status_code, reply.json()["error"]) == (400, "Invalid file name")
    assert outside.read_text() == "private"


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer hook-token"}])
async def test_programs_and_agents_write_nothing(api: Api, headers: dict[str, str]) -> None:
    body = {"file": "AGENTS.md", "content": "obey"}
    reply = await api.client.post("/api/config", json=body, headers=headers)
    assert reply.status_code in {401, 403}
    assert not (workspace(api) / "AGENTS.md").exists()


async def test_features_are_the_switches_of_the_file(api: Api) -> None:
    assert (await api.client.get("/api/features")).json() == {}
    file = workspace(api) / "agent.yaml"
    file.write_text("features:\n  beta: true\n  old: false\n  n: 3\n  deep: {x: true}\n")
    assert (await api.client.get("/api/features")).json() == {"beta": True, "old": False}
    for other in ("features: 3\n", "features: [a", "", "- 1\n"):
        file.write_text(other)
        assert (await api.client.get("/api/features")).json() == {}


async def test_the_identity_is_read_from_its_file(api: Api) -> None:
    unknown = {"name": "Unknown", "creature": "", "vibe": ""}
    assert (await api.client.get("/api/identity")).json() == unknown
    file = workspace(api) / "IDENTITY.md"
    file.write_text("# Me\n\n- name: Ada\n- creature:  owl \n- vibe:\n- name: later\n")
    assert (await api.client.get("/api/identity")).json() == {
        "name": "Ada",
        "creature": "owl",
        "vibe": "",
    }
    file.write_bytes(b"\xff\xfe")
    assert (await api.client.get("/api/identity")).json() == unknown
