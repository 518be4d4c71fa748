"""The keys of agent.yaml: every spelling of a setting, and what Signet has that is not used."""

from pathlib import Path
from typing import Any

import pytest

from fakes.each_setting import for_each
from intaglio.base.agent_yaml.problems import BrokenFileError
from intaglio.base.agent_yaml.signet_keys import OTHER_FLAT_KEYS, SIGNET_KEYS, SIGNET_SECTIONS
from intaglio.base.paths import find_paths
from intaglio.base.settings.catalogue import SettingsCatalogue
from intaglio.base.settings.declaration import HARNESS, Scalar, SettingInfo
from intaglio.base.settings.keys import KnownKeys, camel, flat_form, folded, spellings
from intaglio.base.settings.listing import all_settings
from intaglio.base.settings.loader import read_settings, read_text, settings_from
from intaglio.base.settings.reading import SettingsReading
from intaglio.capture.settings import CaptureSettings
from intaglio.embedding.settings import EmbeddingSettings
from intaglio.graph.settings import GraphSettings
from intaglio.memory.settings import MemorySettings
from intaglio.sections import SECTIONS
from intaglio.sessions.settings import HarnessSettings

LISTED = SettingsCatalogue(SECTIONS, ()).all
SETTINGS = [info for info in all_settings(SECTIONS) if not info.by_harness]


def tree(key: str, value: object) -> dict[str, object]:
    """Return the parsed file that has this value at a dotted key."""
    *above, last = key.split(".")
    found: dict[str, object] = {last: value}
    for part in reversed(above):
        found = {part: found}
    return found


def read(given: dict[str, object]) -> SettingsReading:
    return settings_from(given, SECTIONS)


def other_value(info: SettingInfo) -> Scalar:
    """Return a valid value that isn't the default."""
    match info.default:
        case bool():
            return not info.default
        case str():
            others = [one.value for one in info.choices if one.value != info.default]
            text = info.form.example if info.form else "other"
            return others[0] if others else text
        case _:
            low, high = info.bounds or (0, 1)
            return type(info.default)(low if low != info.default else high)


def snake(key: str) -> str:
    return "".join(f"_{one.lower()}" if one.isupper() else one for one in key)


@for_each(SETTINGS)
def test_every_spelling_of_a_setting_means_the_same(info: SettingInfo) -> None:
    value = other_value(info)
    camel_case = ".".join(camel(part) for part in info.key.split("."))
    every = {info.key, snake(info.key), camel_case, *info.other_keys}
    flat = flat_form(info.key)
    every |= {flat, snake(flat), flat.removeprefix("memory.")} if flat else set[str]()
    found = next(one for one in LISTED if one.info == info)
    for key in every:
        reading = read(tree(key, value))
        assert (reading.problems, reading.unused) == ((), ()), key
        assert found.value(reading.settings) == value, key
        assert reading.given[info.key].spelled == key
        assert reading.origin(info.key) == "file"


def test_no_two_settings_have_a_spelling_in_common() -> None:
    homes: dict[str, str] = {}
    for info in all_settings(SECTIONS):
        for key in spellings(info.key, info.other_keys):
            assert homes.setdefault(key, info.key) == info.key, key
    signet = [*SIGNET_KEYS, *OTHER_FLAT_KEYS]
    signet += [flat for key in SIGNET_KEYS if (flat := flat_form(key))]
    assert not {folded(key) for key in signet} & homes.keys()
    known = KnownKeys(SECTIONS, ())
    assert not [key for key in homes if HARNESS not in key and known.unused(key)]


@pytest.mark.parametrize("place", ["embedding", "embeddings", "memory.embeddings"])
def test_the_section_of_embeddings_may_be_at_three_places(place: str) -> None:
    given = {"provider": "ollama", "endpoint": "http://127.0.0.1:9"}
    reading = read(tree(place, given))
    assert reading.problems == ()
    used = reading.settings.of(EmbeddingSettings)
    assert (used.provider, used.base_url) == ("ollama", "http://127.0.0.1:9")


def test_the_nested_form_counts_and_a_contradiction_is_reported() -> None:
    pipeline = {"graphEnabled": True, "graph": {"enabled": False}}
    reading = read({"memory": {"pipelineV2": pipeline}})
    assert not reading.settings.of(GraphSettings).enabled
    [problem] = reading.problems
    assert problem.key == "memory.pipelineV2.graphEnabled"
    assert problem.message == "contradicts memory.pipelineV2.graph.enabled, which counts"
    pipeline["graphEnabled"] = False
    assert read({"memory": {"pipelineV2": pipeline}}).problems == ()


@pytest.mark.parametrize(
    "key",
    [
        *SIGNET_KEYS,
        *OTHER_FLAT_KEYS,
        *(f"{section}.anything" for section in SIGNET_SECTIONS),
        "memory.pipelineV2.workerPollMs",
        "memory.pipelineV2.rerankerEnabled",
        "memory.pipelineV2.extractionStrength",
        "pipelineV2.predictorPipeline.agentFeedback",
        "pipelineV2.telemetry.posthogHost",
        "memory.pipeline_v2.worker.poll_ms",
        "search.rehearsalWeight",
    ],
)
def test_a_key_of_signet_without_effect_says_what_it_is_for(key: str) -> None:
    reading = read(tree(key, 1))
    assert reading.problems == ()
    [unused] = reading.unused
    # A section of which nothing has an effect is told once.
    assert key in {unused.key, f"{unused.key}.{key.rpartition('.')[2]}"}
    assert unused.message.startswith("Signet's setting for ")


@pytest.mark.parametrize("key", ["features.anything", "agent.name", "owner.id", "version"])
def test_what_describes_the_agent_is_free(key: str) -> None:
    reading = read(tree(key, "x"))
    assert (reading.problems, reading.unused) == ((), ())


def test_a_harness_is_named_in_either_spelling() -> None:
    reading = settings_from(
        {"harness": {"some_agent": {"start_max_tokens": 200}}}, SECTIONS, ["some-agent"]
    )
    assert reading.problems == ()
    assert reading.settings.harness(HarnessSettings, "some-agent").start_max_tokens == 200


TEXT = """\
# mine
search:
  alpha: 0.25
  top_k: 5
  alhpa: 1
backup:
  keep: 3
  keep: lots
"""


def test_lines_are_told_for_all_that_is_said_about_a_file() -> None:
    reading = read_text(TEXT, SECTIONS)
    assert {key: given.line for key, given in reading.given.items()} == {
        "search.alpha": 3,
        "backup.keep": 8,
    }
    assert [(one.key, one.line) for one in reading.unused] == [("search.top_k", 4)]
    assert [(one.key, one.line) for one in reading.problems] == [
        ("backup.keep", 8),
        ("search.alhpa", 5),
        ("backup.keep", 8),
    ]
    assert reading.problems[2].message == "is there twice; the one in line 8 counts"
    assert reading.given["backup.keep"].value == "lots"
    assert reading.origin("backup.keep") == "default"


def test_an_unreadable_file_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("search:\n  alpha: 0.25\n   min_score: [1\n", encoding="utf-8")
    problem = read_settings(file, SECTIONS).file_problem
    assert problem is not None
    assert (problem.line, problem.excerpt) == (3, "   min_score: [1")


BOMB = "a: &a [x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        f"{BOMB}backup: {{keep: *i}}\n",
        "memory: &m {pipelineV2: *m, embeddings: *m}\n",
        "search: &s {alpha: *s}\n",
        "harness: &h {x: *h}\n",
    ],
)
def test_aliases_are_not_expanded(text: str) -> None:
    try:
        reading = read_text(text, SECTIONS)
    except BrokenFileError:
        return
    assert all(len(problem.message) < 200 for problem in reading.problems)


def test_a_secret_is_in_no_message() -> None:
    planted: Any = ["sk-proj-0123456789abcdef"]
    reading = read({"embedding": {"api_key": planted}, "embeddings": {"api_key": "sk-proj-2"}})
    assert len(reading.problems) == 2
    assert not [problem for problem in reading.problems if "sk-proj" in problem.message]


@pytest.mark.parametrize(
    ("names", "used"),
    [
        ([], "agent.yaml"),
        (["config.yaml"], "config.yaml"),
        (["config.yaml", "AGENT.yaml"], "AGENT.yaml"),
        (["config.yaml", "AGENT.yaml", "agent.yaml"], "agent.yaml"),
    ],
)
def test_the_first_of_the_known_names_is_the_settings_file(
    tmp_path: Path, names: list[str], used: str
) -> None:
    paths = find_paths({"INTAGLIO_WORKSPACE": str(tmp_path)})
    for name in names:
        (paths.workspace / name).touch()
    assert paths.settings.name == used


def test_a_file_that_is_read_only_is_frozen_by_the_flat_form(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("pipelineV2: {mutations_frozen: true}\n", encoding="utf-8")
    assert read_settings(file, SECTIONS).settings.of(MemorySettings).frozen


def test_merge_keys_within_merge_keys_are_refused_with_their_line() -> None:
    lines = ["a0: &a0 {k: 1}"]
    for level in range(1, 8):
        copies = ", ".join([f"*a{level - 1}"] * 9)
        lines.append(f"a{level}: &a{level} {{<<: [{copies}]}}")
    with pytest.raises(BrokenFileError) as refused:
        read_text("\n".join(lines), SECTIONS)
    assert "merges more than 10,000 keys" in refused.value.problem.message
    assert refused.value.problem.line == 6


def test_a_few_merge_keys_are_read() -> None:
    reading = read_text("base: &base {keepAt: 0.9}\ncapture: {<<: *base}\n", SECTIONS)
    assert reading.settings.of(CaptureSettings).keep_at == 0.9


def test_nesting_that_is_too_deep_is_refused() -> None:
    with pytest.raises(BrokenFileError, match="64 levels deep"):
        read_text("a: " + "[" * 200_000, SECTIONS)
