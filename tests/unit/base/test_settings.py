"""How agent.yaml becomes settings."""

from pathlib import Path

import pytest

from intaglio.base.errors import MisconfiguredError
from intaglio.base.settings.listing import all_settings
from intaglio.base.settings.loader import port_from, read_settings, read_text, settings_from
from intaglio.base.settings.reading import SettingsReading
from intaglio.base.settings.values import Settings
from intaglio.daemon.settings import DaemonSettings
from intaglio.embedding.settings import EmbeddingSettings
from intaglio.memory.settings import MemorySettings
from intaglio.recall.settings import SearchSettings
from intaglio.sections import SECTIONS
from intaglio.sessions.settings import HookSettings
from intaglio.store.settings import BackupSettings


def test_without_a_file_the_defaults_apply(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "agent.yaml", SECTIONS) == SettingsReading()


def test_nested_keys_are_read(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("search:\n  min_score: 0.3\nhooks:\n  sessionStart:\n    recallLimit: 7\n")
    found = read_settings(file, SECTIONS)
    settings, problems = found.settings, found.problems
    assert (
        settings.of(SearchSettings).min_score,
        settings.of(HookSettings).start_recall_limit,
    ) == (0.3, 7)
    assert problems == ()


def test_all_problems_are_reported_and_the_valid_settings_apply() -> None:
    found = settings_from(
        {
            "search": {"min_score": 9, "postings_budget": "many"},
            "backup": {"enabled": "yes", "keep": 2.5},
            "memory": {"decay_rate": float("nan")},
            "retention": {"tombstoneDays": 3},
        },
        SECTIONS,
    )
    settings, problems = found.settings, found.problems
    assert {problem.key for problem in problems} == {
        "search.min_score",
        "search.postings_budget",
        "backup.enabled",
        "backup.keep",
        "memory.decay_rate",
    }
    assert settings.of(SearchSettings).min_score == 1
    assert (
        settings.of(SearchSettings).postings_budget == Settings().of(SearchSettings).postings_budget
    )
    assert settings.of(MemorySettings).tombstone_days == 3


@pytest.mark.parametrize(
    "content",
    [
        b"a: [",
        b"\xff\xfe",
        b"- 1\n- 2",
        b"just text",
        b"a: &x [*x]",
        b"!!python/object:os.system x",
        b"born: 2026-99-99",
        b"[" * 50_000,
        b"backup: {keep: 1" + b"0" * 5_000 + b"}",
    ],
)
def test_a_broken_file_means_the_defaults_and_a_problem(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "agent.yaml"
    file.write_bytes(content)
    found = read_settings(file, SECTIONS)
    settings, problems = found.settings, found.problems
    # Of agents such a file says nothing, which is not the same as that there are none.
    assert settings in (Settings(roster=None), Settings())
    assert problems or content == b"a: &x [*x]"


def test_no_two_settings_share_a_key_and_each_default_fits_its_bounds() -> None:
    entries = all_settings(SECTIONS)
    assert len({entry.key for entry in entries}) == len(entries)
    for entry in entries:
        if entry.bounds:
            assert entry.bounds[0] <= float(entry.default) <= entry.bounds[1]


@pytest.mark.parametrize(
    ("env", "port"),
    [
        ({}, None),
        ({"INTAGLIO_PORT": "4000"}, 4000),
        ({"SIGNET_PORT": "4001"}, 4001),
        ({"INTAGLIO_PORT": "4000", "SIGNET_PORT": "4001"}, 4000),
        ({"INTAGLIO_PORT": " ", "SIGNET_PORT": "5"}, 5),
    ],
)
def test_the_port_comes_from_the_environment(env: dict[str, str], port: int | None) -> None:
    assert port_from(env) == port


@pytest.mark.parametrize("text", ["0", "65536", "x", "-1", "3850.0", "٣٨٥٠", "9" * 5_000])
def test_an_invalid_port_is_refused(text: str) -> None:
    with pytest.raises(MisconfiguredError, match="INTAGLIO_PORT") as refused:
        port_from({"INTAGLIO_PORT": text, "SIGNET_PORT": "5"})
    assert "1 to 65535" in refused.value.hint


@pytest.mark.parametrize(
    "given", [10**400, int("f" * 9_000, 16), [[1]] * 500], ids=["long", "too long", "list"]
)
def test_an_enormous_value_is_reported_as_a_problem(given: object) -> None:
    found = settings_from({"backup": {"keep": given}}, SECTIONS)
    settings, problems = found.settings, found.problems
    assert [problem.key for problem in problems] == ["backup.keep"]
    assert len(problems[0].message) < 200
    assert settings.of(BackupSettings).keep in {7, 365}


def test_an_unknown_choice_falls_back_to_the_default() -> None:
    found = settings_from({"daemon": {"logLevel": "loud"}}, SECTIONS)
    settings, problems = found.settings, found.problems
    assert settings.of(DaemonSettings).log_level == "info"
    assert problems[0].message == "must be one of debug, info, warning, error, not 'loud'"


def test_free_text_is_taken_as_it_is() -> None:
    found = settings_from(
        {"embedding": {"provider": "ollama", "base_url": "http://127.0.0.1:1", "model": "m"}},
        SECTIONS,
    )
    settings, problems = found.settings, found.problems
    assert problems == ()
    used = settings.of(EmbeddingSettings)
    assert (used.provider, used.base_url, used.model) == ("ollama", "http://127.0.0.1:1", "m")


def test_a_text_setting_refuses_other_types() -> None:
    found = settings_from({"embedding": {"model": 7}}, SECTIONS)
    settings, problems = found.settings, found.problems
    assert settings == Settings()
    assert [problem.message for problem in problems] == ["must be text, not 7"]


@pytest.mark.parametrize(
    ("agent", "at"),
    [
        ("{created: '2026-02-11T09:00:00+01:00'}", "2026-02-11T08:00:00.000Z"),
        ("{created: 2026-02-11T09:00:00+01:00}", "2026-02-11T08:00:00.000Z"),
        ("{created: 2026-02-11}", "2026-02-11T00:00:00.000Z"),
        ("{created: soon}", None),
        ("{created: 5}", None),
        ("{name: Ann}", None),
        ("Ann", None),
    ],
)
def test_the_agents_beginning_is_read_if_it_is_a_time(agent: str, at: str | None) -> None:
    assert read_text(f"agent: {agent}", SECTIONS).settings.agent_created_at == at
