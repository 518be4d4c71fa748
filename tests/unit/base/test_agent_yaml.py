"""The roster and the keys of agent.yaml: what is understood, and what is said of the rest."""

import pytest

from intaglio.base.agent_yaml.roster import MAX_AGENTS, DeclaredAgent, read_roster
from intaglio.base.settings.listing import all_settings
from intaglio.base.settings.loader import settings_from
from intaglio.base.settings.values import Settings
from intaglio.memory.settings import MemorySettings
from intaglio.recall.settings import SearchSettings
from intaglio.sections import SECTIONS


def test_the_roster_accepts_the_known_spellings() -> None:
    roster, problems = read_roster(
        [
            "alice",
            {"name": "bob", "read_policy": "isolated"},
            {"id": "cleo", "name": "Cleo", "readPolicy": "group", "policyGroup": "red"},
            {"name": "dan", "memory": {"read_policy": "group", "policy_group": "red"}},
            {"id": 7, "description": "a number is a name too"},
        ]
    )
    assert problems == ()
    assert roster == (
        DeclaredAgent("alice", "alice"),
        DeclaredAgent("bob", "bob", "isolated"),
        DeclaredAgent("cleo", "Cleo", "group", "red"),
        DeclaredAgent("dan", "dan", "group", "red"),
        DeclaredAgent("7", "7", description="a number is a name too"),
    )


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"id": "a", "read_policy": "open"}, "one of isolated, shared, group"),
        ({"id": "a", "read_policy": None}, "one of isolated, shared, group"),
        ({"id": "a", "read_policy": ["shared"]}, "one of isolated, shared, group"),
        ({"id": "a", "read_policy": "group"}, "needs a policy_group"),
        ({"id": "a", "read_policy": "group", "group": " "}, "needs a policy_group"),
    ],
)
def test_an_unreadable_policy_isolates_the_agent(entry: object, said: str) -> None:
    roster, problems = read_roster([entry])
    assert roster
    assert roster[0].read_policy == "isolated"
    assert [key for key, _ in problems] == ["agents.roster[0]"]
    assert said in problems[0][1]


@pytest.mark.parametrize(
    "entry", [{}, None, [], {"id": ""}, {"id": "a b"}, {"id": "a:b"}, "x" * 129]
)
def test_an_entry_without_an_id_is_left_out_and_told(entry: object) -> None:
    roster, problems = read_roster([entry, "bob"])
    assert roster == (DeclaredAgent("bob", "bob"),)
    assert [key for key, _ in problems] == ["agents.roster[0]"]


def test_the_first_of_two_entries_of_one_agent_counts() -> None:
    roster, problems = read_roster([{"id": "a", "read_policy": "isolated"}, "a"])
    assert roster == (DeclaredAgent("a", "a", "isolated"),)
    assert "twice" in problems[0][1]


def test_a_roster_that_is_no_list_is_ignored() -> None:
    roster, problems = read_roster({"alice": "shared"})
    assert roster is None
    assert [key for key, _ in problems] == ["agents.roster"]


def test_an_overlong_roster_is_cut_and_reported() -> None:
    roster, problems = read_roster([f"a{number}" for number in range(MAX_AGENTS + 1)])
    assert roster is not None
    assert len(roster) == MAX_AGENTS
    assert str(MAX_AGENTS) in problems[0][1]


def problems_of(tree: dict[str, object]) -> dict[str, str]:
    found = settings_from(tree, SECTIONS)
    _, problems = found.settings, found.problems
    return {problem.key: problem.message for problem in problems}


@pytest.mark.parametrize(
    ("tree", "key", "meant"),
    [
        ({"search": {"min_scor": 0.3}}, "search.min_scor", "search.min_score"),
        ({"serach": {"min_score": 0.3}}, "serach", ""),
        ({"backup": {"Keep": 3}}, "backup.Keep", "backup.keep"),
        ({"agents": {"rooster": []}}, "agents.rooster", "agents.roster"),
        (
            {"auth": {"rateLimits": {"forgets": {"max": 3}}}},
            "auth.rateLimits.forgets",
            "auth.rateLimits.forget",
        ),
        ({"memory": 3}, "memory", ""),
        (
            {"pipelineV2": {"mutationFrozen": True}},
            "pipelineV2.mutationFrozen",
            "memory.pipelineV2.mutationsFrozen",
        ),
    ],
)
def test_an_unknown_key_is_reported_with_a_suggestion(
    tree: dict[str, object], key: str, meant: str
) -> None:
    told = problems_of(tree)
    assert list(told) == [key]
    assert told[key].startswith("is not a setting")
    assert (f"did you mean {meant}" in told[key]) if meant else True


def test_a_settings_file_of_signet_gives_no_problems() -> None:
    tree: dict[str, object] = {
        "version": 1,
        "schema": "signet/v1",
        "configVersion": 2,
        "agent": {"name": "a", "description": "b", "created": "c"},
        "owner": {"id": "x"},
        "harnesses": ["claude-code"],
        "home": {"spotlightEntity": "x"},
        "services": {"openclaw": {"restart_command": "x"}},
        "features": {"anything": True},
        "agents": {"roster": [{"name": "alice"}]},
        "embedding": {"provider": "native", "model": "m", "endpoint": "http://x"},
        "embeddings": {"provider": "native"},
        "search": {"alpha": 0.7, "top_k": 20, "min_score": 0.1, "rehearsal_enabled": True},
        "memory": {
            "database": "memory/memories.db",
            "session_budget": 2000,
            "pipelineV2": {
                "enabled": True,
                "extraction": {"provider": "ollama", "escalation": [10]},
                "guardrails": {"maxContentChars": 500, "recallTruncateChars": 500},
                "modelRegistry": {"enabled": False},
            },
        },
        "hooks": {"sessionStart": {"recencyBias": 0.7}, "preCompaction": {"memoryLimit": 5}},
        "git": {"enabled": True},
        "updates": {"channel": "latest"},
        "auth": {"mode": "local", "defaultTokenTtlSeconds": 1, "rateLimits": {}},
    }
    assert problems_of(tree) == {}


def test_top_level_spellings_are_accepted() -> None:
    tree: dict[str, object] = {
        "search": {"reranking": {"enabled": True}},
        "pipelineV2": {"mutationsFrozen": True, "guardrails": {"recallTruncateChars": 200}},
        "memory": {"pipelineV2": {"guardrails": {"recallTruncateChars": 200}}},
    }
    found = settings_from(tree, SECTIONS)
    settings, problems = found.settings, found.problems
    assert problems == ()
    assert settings.of(MemorySettings).frozen
    assert settings.of(SearchSettings).truncate_chars == 200


def test_every_setting_of_ours_is_known() -> None:
    for info in all_settings(SECTIONS):
        *above, last = info.key.split(".")
        tree: dict[str, object] = {last: info.default}
        for part in reversed(above):
            tree = {part: tree}
        assert problems_of(tree) == {}


def test_empty_sections_and_odd_keys_are_harmless() -> None:
    assert problems_of({"search": None, "hooks": None}) == {}
    assert list(problems_of({1: 2})) == ["1"]  # type: ignore[dict-item]  # YAML has such keys


def test_many_unknown_keys_are_counted_instead_of_listed() -> None:
    told = problems_of({f"nonsense{number}": 1 for number in range(30)})
    assert len(told) == 21
    assert "10 more" in told["…"]


def test_a_roster_stands_in_the_settings_and_its_problems_beside_the_others() -> None:
    found = settings_from({"agents": {"roster": ["a", {"read_policy": "x"}]}}, SECTIONS)
    settings, problems = found.settings, found.problems
    assert settings.roster == (DeclaredAgent("a", "a"),)
    assert [problem.key for problem in problems] == ["agents.roster[1]"]
    assert Settings().roster == ()
