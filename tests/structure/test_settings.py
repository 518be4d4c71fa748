"""Settings are declared once, in their packages, with all that an interface needs."""

import ast
import re
from collections import Counter

from intaglio.base.settings.declaration import SettingGroup, SettingInfo, settings_in
from intaglio.base.settings.listing import all_settings, by_group
from intaglio.projects.settings import ProjectSettings
from intaglio.sections import SECTIONS
from structure.source import modules, nodes, refuse

SETTINGS = (*all_settings(SECTIONS), *settings_in(ProjectSettings))
LABEL_CHARS = 45
NAMES = frozenset({"API", "Ollama", "OpenAI", "Signet's"})
"""Words that are capitalised wherever they stand."""

IMPORTED = frozenset(
    {
        "dataclasses",
        "typing",
        "intaglio.base.settings.declaration",
        # Data that imports nothing else.
        "intaglio.base.shortcut",
        "intaglio.inference.completion.choice",
    }
)


def faults_of_label(label: str) -> list[str]:
    """List what is wrong with a label: its length, its case, its end."""
    first, *others = label.split() or [""]
    found = ["is too long"] if len(label) > LABEL_CHARS else []
    if not first[:1].isupper() or any(
        word != word.lower() and word not in NAMES for word in others
    ):
        found.append("isn't in sentence case")
    if label != label.strip() or re.search(r"[.:!]$", label):
        found.append("ends badly")
    return found


def test_a_bad_label_is_found() -> None:
    assert faults_of_label("keep it") == faults_of_label("Keep It") == ["isn't in sentence case"]
    assert faults_of_label("") == ["isn't in sentence case"]
    assert faults_of_label("Keep it.") == ["ends badly"]
    assert faults_of_label("Keep " + "very " * 10 + "long") == ["is too long"]
    assert faults_of_label("Characters per prompt with Signet's hooks") == []


def test_every_setting_has_a_label_in_sentence_case() -> None:
    refuse(
        f"{info.key}: {info.label!r} {fault}"
        for info in SETTINGS
        for fault in faults_of_label(info.label)
    )


def test_labels_are_unique_in_their_group() -> None:
    for group, settings in by_group(SECTIONS).items():
        counts = Counter(info.label for info in settings)
        refuse(f"{group.value}: {label}" for label, count in counts.items() if count > 1)


def test_every_setting_has_help_in_whole_sentences() -> None:
    refuse(
        f"{info.key}: {info.help!r}"
        for info in SETTINGS
        if not re.fullmatch(r"[A-Z0-9].*\.", info.help) or info.help.rstrip(".") == info.label
    )


def test_every_group_has_settings() -> None:
    refuse(group.value for group in SettingGroup if not by_group(SECTIONS)[group])


def needs_unit(info: SettingInfo) -> bool:
    """Whether a number counts something: whole ones do, shares and weights don't."""
    return isinstance(info.default, int) and not isinstance(info.default, bool)


def test_every_whole_number_has_a_unit_and_bounds() -> None:
    no_unit = {"embedding.dimensions"}
    refuse(
        info.key
        for info in SETTINGS
        if needs_unit(info) and not (info.bounds and (info.unit or info.key in no_unit))
    )


def test_every_fraction_has_bounds() -> None:
    refuse(info.key for info in SETTINGS if isinstance(info.default, float) and not info.bounds)


def test_every_choice_has_a_label_of_its_own_and_the_default_is_one() -> None:
    for info in SETTINGS:
        values, labels = [one.value for one in info.choices], [one.label for one in info.choices]
        assert len({*values}) == len({*labels}) == len(info.choices), info.key
        assert all(labels), info.key
        assert not info.choices or info.default in values, info.key


def test_a_consequence_is_told_in_one_sentence_and_can_happen() -> None:
    for info in SETTINGS:
        found = info.consequence
        if found is not None:
            assert re.fullmatch(r"[A-Z][^.]*\.", found.text), info.key
            assert found.values == () or found.change == "any", info.key
            choices = [one.value for one in info.choices]
            assert all(type(each) is type(info.default) for each in found.values), info.key
            assert not choices or {*found.values} <= {*choices}, info.key


def test_what_is_deleted_and_what_is_sent_is_confirmed() -> None:
    kinds = {info.key: info.consequence and info.consequence.kind for info in SETTINGS}
    periods = {info.key for info in SETTINGS if info.key.startswith("retention.")}
    periods -= {"retention.intervalHours", "retention.batchLimit"}
    deleting = {*periods, "capture.transcripts", "commits.enabled", "backup.keep"}
    refuse(key for key in deleting if kinds[key] != "deletes")
    models = [f"memory.pipelineV2.{role}" for role in ("extraction", "synthesis")]
    sending = [f"{model}.{key}" for model in models for key in ("provider", "endpoint")]
    sending += ["embedding.provider", "embedding.base_url"]
    refuse(key for key in sending if kinds[key] != "sends")


def test_declarations_import_nothing_but_how_to_declare() -> None:
    homes = {section.__module__ for section in SECTIONS}
    seen: set[str] = set()
    found: list[str] = []
    for module in modules("app/intaglio"):
        name = module.name.removeprefix("app/").removesuffix(".py").replace("/", ".")
        if name not in homes:
            continue
        seen.add(name)
        for node in nodes(module.tree):
            if isinstance(node, ast.ImportFrom) and node.module not in IMPORTED:
                found.append(f"{name}: {node.module}")
            elif isinstance(node, ast.Import):
                found += [f"{name}: {each.name}" for each in node.names]
    assert seen == homes
    refuse(found)


def test_every_declared_section_is_listed() -> None:
    listed = {section.__name__ for section in (*SECTIONS, ProjectSettings)}
    refuse(
        f"{module.name}: {node.name}"
        for module in modules("app/intaglio")
        if module.path.name == "settings.py"
        for node in nodes(module.tree)
        if isinstance(node, ast.ClassDef)
        and node.name.endswith("Settings")
        and node.name not in listed
    )
