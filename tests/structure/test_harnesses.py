"""A harness stands in its own folder: nowhere else in the package is one named."""

import re

import pytest

from intaglio.harness.registry import connectors, harness_names, harnesses
from structure.source import PACKAGE, Module, modules, refuse

# Words of everyday speech, by which memories are told apart, may be names of harnesses too.
# The linker knows names of products, some of which are harnesses; users tell an agent by its name
# what it must do.
VOCABULARY = frozenset(
    {"english.py", "german.py", "service_tools.py", "claim_words.py", "instruction_words.py"}
)
# The programs of some harnesses can be asked as language models, which has nothing to do with
# what a harness sends; programs are found where their installers put them.
AS_MODELS = frozenset(
    PACKAGE / each for each in ("inference/completion", "models", "base/process/programs.py")
)
# An editor is called like a place in a list of pages.
EVERYDAY = frozenset({"cursor"})


def names() -> dict[str, str]:
    """Name every harness as its folder and its makers do, each with its folder."""
    named = [(name, name) for name in harness_names()]
    named += [(one.label, one.name) for one in harnesses().values()]
    named += [(one.label, one.name) for one in connectors().values()]
    return {
        spelled: name.replace("-", "_")
        for spelled, name in named
        if spelled.lower() not in EVERYDAY
    }


def spelling(name: str) -> re.Pattern[str]:
    """Match a name however it is spelled: ``my-agent``, ``My Agent``, ``MY_AGENT``, ``myAgent``."""
    words = (re.escape(word) for word in re.split(r"[-_ ]", name))
    return re.compile(rf"(?<![a-z])(?i:{'[-_ ]?'.join(words)})(?![a-z])")


def mentions(module: Module, found: dict[str, str]) -> list[str]:
    """List the lines, of code, prose or comment, that name a harness outside of its folder."""
    outside = [
        name
        for name, folder in found.items()
        if not module.path.is_relative_to(PACKAGE / "harness" / folder)
    ]
    patterns = [spelling(name) for name in outside]
    return [
        f"{module.name}:{number} {line.strip()[:80]}"
        for number, line in enumerate(module.text.splitlines(), 1)
        if any(pattern.search(line) for pattern in patterns)
    ]


def test_no_harness_is_named_outside_its_folder() -> None:
    refuse(
        line
        for module in modules("app/intaglio")
        if module.path.name not in VOCABULARY
        and AS_MODELS.isdisjoint((module.path, *module.path.parents))
        for line in mentions(module, names())
    )


@pytest.mark.parametrize(
    "planted",
    [
        'HARNESS = "my-agent"',
        "from intaglio.harness.my_agent import connector",
        "class MyAgentSettings: ...",
        'KEY = "harness.myAgent.capture"',
        'post("/api/hooks/my-agent")',
        "# My Agent shows an error here.",
        '"""What My Agent takes."""',
    ],
)
def test_a_planted_name_is_seen_outside_the_folder_and_not_inside(planted: str) -> None:
    def at(path: str) -> Module:
        (any_module, *_) = modules("app/intaglio")
        return Module(PACKAGE / path, planted, any_module.tree)

    found = {"my-agent": "my_agent", "My Agent": "my_agent"}
    assert mentions(at("sessions/session_start.py"), found)
    assert mentions(at("harness/dispatch.py"), found)
    assert not mentions(at("harness/my_agent/harness.py"), found)


def test_other_words_are_not_taken_for_a_harness() -> None:
    assert not spelling("my-agent").search("army agents of dummy agentless")
