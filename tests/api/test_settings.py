"""/api/settings: what is shown of the settings, and changes of them."""

import os
from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from intaglio.api.setting_facts import setting_facts
from intaglio.base.events import Changed, SettingsChanged
from intaglio.base.installation import command
from intaglio.base.settings.editing import SettingsEditor
from intaglio.base.shortcut_record import ShortcutState, write_shortcuts


def settings_file(api: Api) -> Path:
    return api.kernel.running.paths.settings


async def rows(api: Api) -> dict[str, dict[str, Any]]:
    reply = await api.client.get("/api/settings")
    assert reply.status_code == 200, reply.text
    return {row["key"]: row for row in reply.json()["settings"]}


async def change(api: Api, *changes: tuple[str, object], confirmed: bool = False) -> Any:  # noqa: ANN401 - a reply
    body = {
        "changes": [{"key": key, "value": value} for key, value in changes],
        "confirmed": confirmed,
    }
    return await api.client.post("/api/settings", json=body, headers=await api.signed_in())


async def test_a_change_is_written_into_the_file_and_in_use_at_once(api: Api) -> None:
    settings_file(api).write_text("# mine\nsearch: {alpha: 0.5} # all words\n", encoding="utf-8")
    with api.kernel.bus.listen() as events:
        reply = await change(api, ("search.alpha", 0.25))
        assert reply.status_code == 200, reply.text
        assert events.get_nowait() == SettingsChanged()
        assert events.get_nowait() == Changed("settings", "updated", ("search.alpha",))
    assert settings_file(api).read_text() == "# mine\nsearch: {alpha: 0.25} # all words\n"
    assert (await rows(api))["search.alpha"]["value"] == 0.25
    assert reply.json()["undo"] == [{"key": "search.alpha", "value": 0.5}]


async def test_a_shortcut_that_does_not_work_says_why(api: Api) -> None:
    assert (await change(api, ("desktop.hotkeySearch", "M"))).status_code == 400
    assert (await change(api, ("desktop.hotkeySearch", "Ctrl+Alt+M"))).status_code == 200
    row = (await rows(api))["desktop.hotkeySearch"]
    assert (row["kind"], row["notice"]) == (
        "shortcut",
        f"The tray app isn't running. To start it, run `{command('tray')}`.",
    )
    paths = api.kernel.running.paths
    taken = ShortcutState(keys="Ctrl+Alt+M", problem="Another program uses these keys.")
    write_shortcuts(paths, os.getpid(), {"desktop.hotkeySearch": taken})
    assert (await rows(api))["desktop.hotkeySearch"]["notice"] == taken.problem
    write_shortcuts(paths, 2**40, {"desktop.hotkeySearch": taken})
    assert "isn't running" in (await rows(api))["desktop.hotkeySearch"]["notice"]
    write_shortcuts(paths, os.getpid(), {})
    assert (await rows(api))["desktop.hotkeySearch"]["notice"] == ""


async def test_undo_leaves_the_file_as_it_was(api: Api) -> None:
    settings_file(api).write_text("search:\n  min_score: 0.3\n# end", encoding="utf-8")
    was = settings_file(api).read_bytes()
    reply = await change(api, ("search.alpha", 0.25), ("code.checkMs", 30))
    assert settings_file(api).read_bytes() != was
    undo = [(each["key"], each["value"]) for each in reply.json()["undo"]]
    assert (await change(api, *undo)).status_code == 200
    assert settings_file(api).read_bytes() == was


async def test_a_row_says_where_its_value_comes_from(api: Api) -> None:
    settings_file(api).write_text("\nsearch:\n  alpha: 0.25\nbackup: {keep: lots}\n")
    found = await rows(api)
    alpha, keep, score = (found[key] for key in ("search.alpha", "backup.keep", "search.min_score"))
    assert (alpha["origin"], alpha["line"], alpha["isSet"]) == ("file", 3, True)
    assert (score["origin"], score["line"], score["isSet"]) == ("default", None, False)
    assert (keep["origin"], keep["value"], keep["given"]) == ("default", 7, "lots")
    assert "must be a whole number from 1 to 365" in keep["problem"]


@pytest.mark.parametrize(
    ("key", "value", "status", "said"),
    [
        ("search.alpha", 2, 400, "keywords (search.alpha) must be a number from 0 to 1"),
        ("search.alpha", "much", 400, "must be a number from 0 to 1"),
        ("search.alpha", True, 400, "must be a number from 0 to 1"),
        ("search.alpha", 10**400, 400, "must be a number from 0 to 1"),
        ("backup.keep", -(10**400), 400, "must be a whole number from 1 to 365"),
        ("backup.keep", 2.5, 400, "must be a whole number from 1 to 365"),
        ("backup.enabled", "yes", 400, "must be true or false"),
        ("embedding.provider", "chatgpt", 400, "must be one of onnx"),
        ("embedding.model", 3, 400, "must be text"),
        ("embedding.model", "a\nb: c", 400, "one line"),
        ("embedding.model", "x" * 3_000, 400, "at most 2,000 characters"),
        ("search.alpa", 0.5, 404, "There's no setting"),
        ("harness.nobody.capture", True, 404, "There's no setting"),
        ("a\x00b", 1, 404, "There's no setting"),
    ],
)
async def test_a_bad_value_is_refused_and_nothing_is_written(
    api: Api, key: str, value: object, status: int, said: str
) -> None:
    reply = await change(api, ("search.min_score", 0.3), (key, value))
    assert reply.status_code == status, reply.text
    assert said in reply.json()["detail"]
    assert reply.json()["hint"]
    assert not settings_file(api).exists()


async def test_a_misspelled_key_gets_a_suggestion(api: Api) -> None:
    reply = await change(api, ("search.alhpa", 0.5))
    assert reply.json()["hint"] == "Did you mean search.alpha?"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"changes": []},
        {"changes": [{"key": "search.alpha"}]},
        {"changes": [{"key": "", "value": 1}]},
        {"changes": [{"key": "search.alpha", "value": [1]}]},
        {"changes": [{"key": "search.alpha", "value": 0.5}] * 2},
        {"changes": [{"key": "search.alpha", "value": 0.5}] * 101},
    ],
)
async def test_a_malformed_request_is_refused(api: Api, body: dict[str, Any]) -> None:
    reply = await api.client.post("/api/settings", json=body, headers=api.owner)
    assert reply.status_code == 400, reply.text
    assert not settings_file(api).exists()


async def test_a_broken_file_is_shown_with_its_place_and_left_alone(api: Api) -> None:
    assert (await change(api, ("search.alpha", 0.25))).status_code == 200
    broken = "search:\n  alpha: 0.25\n   min_score: [1\n"
    settings_file(api).write_text(broken, encoding="utf-8")
    problem = (await api.client.get("/api/settings")).json()["file"]["problem"]
    assert (problem["line"], problem["excerpt"]) == (3, "   min_score: [1")
    assert problem["column"] > 1
    # What was read before is still in use.
    assert (await rows(api))["search.alpha"]["value"] == 0.25
    reply = await change(api, ("search.alpha", 0.75))
    assert (reply.status_code, reply.json()["code"]) == (409, "settings_file_broken")
    assert reply.json()["line"] == 3
    assert settings_file(api).read_text() == broken


async def test_a_key_that_cannot_be_edited_safely_is_refused_with_its_line(api: Api) -> None:
    settings_file(api).write_text("a: &x 0.5\nsearch: {alpha: *x}\n", encoding="utf-8")
    reply = await change(api, ("search.alpha", 0.75))
    assert (reply.status_code, reply.json()["code"]) == (409, "setting_not_editable")
    assert (reply.json()["line"], reply.json()["column"]) == (2, 17)


async def test_secrets_are_never_shown(api: Api) -> None:
    planted = "sk-proj-0123456789abcdefABCDEF"
    assert (await change(api, ("embedding.api_key", planted))).status_code == 200
    assert planted in settings_file(api).read_text()
    row = (await rows(api))["embedding.api_key"]
    assert (row["value"], row["isSet"], row["secret"]) == ("", True, True)
    undo = (await change(api, ("embedding.api_key", "another"))).json()["undo"]
    assert undo == []
    settings_file(api).write_text(f"embedding:\n  api_key: '{planted}\n", encoding="utf-8")
    assert planted not in (await api.client.get("/api/settings")).text
    settings_file(api).write_text(f"embedding:\n  api_key: [{planted}]\n", encoding="utf-8")
    assert planted not in (await api.client.get("/api/settings")).text


ADDRESS = "http://ann:pw@localhost:11434/"
"""The password is too short to look like a secret."""


async def test_the_password_of_an_address_is_hidden_and_stays(api: Api) -> None:
    settings_file(api).write_text(f"embedding: {{base_url: '{ADDRESS}', provider: ollama}}\n")
    api.kernel.get(SettingsEditor).refresh()
    row = (await rows(api))["embedding.base_url"]
    assert row["value"] == "http://ann:[redacted:password]@localhost:11434/"
    same = await change(api, ("embedding.base_url", row["value"]), confirmed=True)
    assert same.status_code == 200, same.text
    assert ADDRESS in settings_file(api).read_text()
    edited = row["value"].replace("localhost", "example.com")
    refused = await change(api, ("embedding.base_url", edited), confirmed=True)
    assert (refused.status_code, refused.json()["key"]) == (400, "embedding.base_url")
    changed = await change(
        api, ("embedding.base_url", "http://localhost:1/"), ("search.alpha", 0.25), confirmed=True
    )
    # As of a secret, the former address can't be told.
    assert changed.json()["undo"] == [{"key": "search.alpha", "value": None}]


@pytest.mark.parametrize(
    "text",
    [
        f"embedding:\n  provider: ollama\n  base_url: {ADDRESS}\n",
        f"embedding:\n  base_url: [{ADDRESS}]\n",
        f"embedding:\n  base_url: &a {ADDRESS}\nx: *a\n",
        f"embedding:\n  base_url: {ADDRESS}\n  endpoint: {ADDRESS}x\n",
        f"embedding:\n  base_url: {ADDRESS}\n bad: [\n",
        f"embedding:\n  base_url: {ADDRESS}\n  base_url: {ADDRESS}\n",
        f"embedding: [\n  base_url: {ADDRESS}\n",
        f"embedding:\n  dimensions: {ADDRESS}\n  model: {{a: {ADDRESS}}}\n",
        f"# base_url: {ADDRESS}\n{ADDRESS}: 1\nsearch: {{{ADDRESS}x: 2}}\n",
    ],
)
async def test_the_password_of_an_address_is_told_nowhere(
    api: Api, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings_file(api).write_text(text)
    api.kernel.get(SettingsEditor).refresh()
    told = [
        (await api.client.get(path, headers=api.owner)).text
        for path in ("/api/settings", "/api/config", "/api/status", "/api/embeddings/status")
    ]
    for key, value in (
        ("embedding.base_url", "http://localhost:1/"),
        ("embedding.base_url", None),
        ("search.alpha", 0.25),
    ):
        done = await change(api, (key, value), confirmed=True)
        told.append(done.text)
        preview = {"project": "/work/shop", "settings": {key: value}}
        told.append((await api.client.post("/api/sessions/preview", json=preview)).text)
        settings_file(api).write_text(text)
    for each in (*told, caplog.text):
        assert "pw@" not in each


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer hook-token"}])
async def test_programs_and_agents_change_nothing(api: Api, headers: dict[str, str]) -> None:
    body = {"changes": [{"key": "search.alpha", "value": 0.5}]}
    reply = await api.client.post("/api/settings", json=body, headers=headers)
    assert reply.status_code in {401, 403}
    assert not settings_file(api).exists()


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("harness.claudeCode.startMaxTokens", 900, "tokens"),
        ("capture.transcripts", False, "deletes"),
        ("retention.transcriptDays", 30, "deletes"),
        ("embedding.provider", "ollama", "sends"),
    ],
)
async def test_a_change_with_a_consequence_must_be_confirmed(
    api: Api, key: str, value: object, kind: str
) -> None:
    both = (("search.alpha", 0.25), (key, value))
    reply = await change(api, *both)
    assert (reply.status_code, reply.json()["code"]) == (409, "confirmation_needed")
    assert (reply.json()["keys"], reply.json()["kind"]) == ([key], kind)
    assert not settings_file(api).exists()
    assert (await change(api, *both, confirmed=True)).status_code == 200
    assert (await rows(api))[key]["value"] == value


async def test_all_consequences_of_a_change_are_told_together(api: Api) -> None:
    reply = await change(api, ("capture.transcripts", False), ("retention.historyDays", 1))
    assert reply.json()["keys"] == ["capture.transcripts", "retention.historyDays"]
    assert "transcripts" in reply.json()["detail"]
    assert "older than this" in reply.json()["detail"]


@pytest.mark.parametrize(
    ("key", "value"),
    [("retention.transcriptDays", 365), ("retention.transcriptDays", 0), ("capture.keepAt", 0.9)],
)
async def test_a_change_that_deletes_nothing_needs_no_confirmation(
    api: Api, key: str, value: float
) -> None:
    assert (await change(api, (key, value))).status_code == 200


async def test_a_read_only_file_is_a_conflict_and_shown_as_such(api: Api) -> None:
    settings_file(api).write_text("search: {alpha: 0.5}\n", encoding="utf-8")
    settings_file(api).chmod(0o400)
    assert (await api.client.get("/api/settings")).json()["file"]["writable"] is False
    reply = await change(api, ("search.alpha", 0.25))
    assert (reply.status_code, reply.json()["code"]) == (409, "file_not_writable")
    assert settings_file(api).read_text() == "search: {alpha: 0.5}\n"


async def test_every_setting_goes_into_the_file_and_back(api: Api) -> None:
    before = await rows(api)
    changes = [(key, other_value(row)) for key, row in before.items()]
    for start in range(0, len(changes), 100):
        reply = await change(api, *changes[start : start + 100], confirmed=True)
        assert reply.status_code == 200, reply.text
    after = await rows(api)
    for key, value in changes:
        row = after[key]
        assert (row["isSet"], row["origin"], row["problem"]) == (True, "file", ""), row
        assert row["secret"] or row["value"] == value, row
    for start in range(0, len(changes), 100):
        reset = [(key, None) for key, _ in changes[start : start + 100]]
        assert (await change(api, *reset, confirmed=True)).status_code == 200
    assert await rows(api) == before
    assert [line for line in settings_file(api).read_text().splitlines() if line[:1] != "#"] == []


def other_value(row: dict[str, Any]) -> object:
    """Return a valid value that isn't the setting's default."""
    match row["kind"]:
        case "switch":
            return not row["default"]
        case "choice":
            return next(each["value"] for each in row["choices"] if each["value"] != row["default"])
        case "number":
            return row["high"] if row["default"] != row["high"] else row["low"]
        case "shortcut":
            return "Ctrl+Alt+M"
        case _:
            return "off: #1"


async def test_each_harness_has_rows_of_its_own(api: Api) -> None:
    found = await rows(api)
    capture = [row for key, row in found.items() if key == "harness.claudeCode.capture"]
    assert [row["harness"] for row in capture] == ["claude-code"]


async def test_a_fact_names_the_variable_that_decides_it(api: Api) -> None:
    env = {"INTAGLIO_WORKSPACE": " ", "SIGNET_PATH": "/x", "INTAGLIO_PORT": "4000"}
    facts = {fact.id: fact.help for fact in await setting_facts(api.kernel, env)}
    assert facts["workspace"].endswith("Set by SIGNET_PATH.")
    assert facts["port"].endswith("Set by INTAGLIO_PORT.")
    assert "Set by" not in facts["log"]


async def test_the_facts_say_where_the_data_is(api: Api) -> None:
    reply = (await api.client.get("/api/settings")).json()
    facts = {fact["id"]: fact for fact in reply["facts"]}
    paths = api.kernel.running.paths
    assert str(paths.database) in facts["database"]["value"]
    assert "MB" in facts["database"]["value"]
    assert facts["workspace"]["value"] == str(paths.workspace)
    assert facts["model"]["group"] == "Models"
    assert {fact["group"] for fact in facts.values()} <= {*reply["groups"]}
    assert reply["file"]["path"] == str(paths.settings)
    assert (reply["file"]["exists"], reply["file"]["writable"]) == (False, True)


async def test_keys_without_effect_are_listed(api: Api) -> None:
    settings_file(api).write_text("search:\n  alpah: 1\n", encoding="utf-8")
    [unused] = (await api.client.get("/api/settings")).json()["unused"]
    assert (unused["key"], unused["line"]) == ("search.alpah", 2)
    assert "search.alpha" in unused["message"]
