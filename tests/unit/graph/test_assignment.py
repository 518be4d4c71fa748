"""Where a fact belongs: its entity, kind and aspect, and what it says of dependencies."""

import pytest

from fakes.graph_names import GraphNames
from intaglio.domain.entity_kinds import DependencyType
from intaglio.graph.linking.aspects import classify_aspect
from intaglio.graph.linking.dependencies import find_dependencies
from intaglio.graph.linking.values import (
    LinkedText,
    NewEntity,
    ProjectItself,
    Target,
    TextToLink,
    UserThemself,
)


def linked(
    text: str,
    memory_type: str = "fact",
    *,
    by_user: bool = True,
    confirmed: bool = True,
    project: str | None = "helios",
) -> LinkedText:
    """Link one text in a graph without entities."""
    return GraphNames().link(
        TextToLink(
            text=text,
            memory_type=memory_type,
            importance=0.5,
            by_user=by_user,
            project_name=project,
            confirmed=confirmed,
        )
    )


def name_of(target: Target) -> str:
    """Return a short name of a target."""
    if isinstance(target, NewEntity):
        return target.canonical
    return "project" if isinstance(target, ProjectItself) else "user"


@pytest.mark.parametrize(
    ("text", "primary"),
    [
        ("The payments gateway uses Redis.", "payments gateway"),
        ("Helios's scheduler was inspired by Celery.", "scheduler"),
        ("We use Redis for caching.", "project"),
        ("Use pnpm, never npm.", "project"),
        ("This repo is formatted with Black.", "project"),
        ("I prefer tabs.", "user"),
        ("It is written by the billing worker.", "billing worker"),
        ("Short answers please.", "project"),
    ],
)
def test_a_fact_is_about_its_subject(text: str, primary: str) -> None:
    assert name_of(linked(text).primary) == primary


def test_a_fact_outside_a_project_is_about_the_user() -> None:
    assert linked("Short answers please.", project=None).primary == UserThemself()


@pytest.mark.parametrize(
    ("text", "memory_type", "kind"),
    [
        ("Deployments happen on Thursday.", "rule", "constraint"),
        ("We chose Redis.", "decision", "constraint"),
        ("The dispatcher must not log secrets.", "fact", "constraint"),
        ("Migrationen müssen umkehrbar sein.", "fact", "constraint"),
        ("不要把密码写进代码里。", "fact", "constraint"),
        ("The dispatcher uses Redis.", "fact", "attribute"),
        ("I don't know why it is slow.", "fact", "attribute"),
    ],
)
def test_a_demand_of_the_user_is_a_constraint(text: str, memory_type: str, kind: str) -> None:
    assert linked(text, memory_type).kind == kind


@pytest.mark.parametrize(
    ("text", "memory_type", "kind"),
    [
        ("Never push to main.", "rule", "constraint"),
        ("Always use UTC in the database.", "fact", "constraint"),
        ("No force pushes to main.", "rule", "constraint"),
        ("Nothing runs in US regions, because of GDPR.", "decision", "constraint"),
        ("From now on we squash commits.", "decision", "constraint"),
        ("Migrationen müssen umkehrbar sein.", "rule", "constraint"),
        ("不要把密码写进代码里。", "rule", "constraint"),
        ("Deployments happen on Thursday.", "rule", "attribute"),
        ("We chose Redis.", "decision", "attribute"),
        ("It must be the cache.", "fact", "attribute"),
        ("The job never finished.", "fact", "attribute"),
        ("Maybe we should never cache here.", "rule", "attribute"),
        ("Must it run as root?", "fact", "attribute"),
        ("Don't touch the schema for now.", "rule", "attribute"),
        ("No idea why it fails.", "fact", "attribute"),
    ],
)
def test_what_was_only_heard_is_a_constraint_if_it_was_said_outright(
    text: str, memory_type: str, kind: str
) -> None:
    assert linked(text, memory_type, confirmed=False).kind == kind


@pytest.mark.parametrize("memory_type", ["rule", "decision", "fact"])
def test_only_the_users_own_words_become_constraints(memory_type: str) -> None:
    assert linked("It must never happen.", memory_type, by_user=False).kind == "attribute"


def test_a_decision_of_the_user_is_important() -> None:
    assert linked("We chose Redis.", "decision").importance == 0.85
    assert linked("We chose Redis.", "decision", by_user=False).importance == 0.5


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("Marco owns it", "ownership"),
        ("it is deployed to production on Thursdays", "deployment"),
        ("tests need fixtures", "testing"),
        ("hello there", None),
    ],
)
def test_verbs_and_nouns_determine_the_aspect(text: str, aspect: str | None) -> None:
    assert linked(text).aspect == aspect


def test_dependencies_need_two_named_entities() -> None:
    assert linked("The dispatcher uses Redis.").needs_dependencies
    assert not linked("Short answers please.").needs_dependencies


@pytest.mark.parametrize(
    ("text", "source", "kind", "target"),
    [
        ("The dispatcher uses Redis.", "dispatcher", "uses", "redis"),
        ("The dispatcher is written in Go.", "dispatcher", "uses", "go"),
        ("The dispatcher runs on Kubernetes.", "dispatcher", "uses", "kubernetes"),
        ("The dispatcher stores its state in SQLite.", "dispatcher", "uses", "sqlite"),
        ("The dispatcher depends on the ledger API.", "dispatcher", "requires", "ledger api"),
        ("The dispatcher is owned by Marco Rossi.", "dispatcher", "owned_by", "marco rossi"),
        ("Marco Rossi maintains the dispatcher.", "dispatcher", "owned_by", "marco rossi"),
        ("The billing worker blocks the dispatcher.", "billing worker", "blocks", "dispatcher"),
        ("The dispatcher notifies the mail worker.", "dispatcher", "informs", "mail worker"),
        (
            "The tax module is part of the billing service.",
            "tax module",
            "part_of",
            "billing service",
        ),
        ("We use Redis.", "project", "uses", "redis"),
        ("Der Zahlungsdienst nutzt Kafka.", "zahlungsdienst", "uses", "apache kafka"),
    ],
)
def test_a_stated_dependency_is_found(
    text: str, source: str, kind: DependencyType, target: str
) -> None:
    (found,) = find_dependencies(text, linked(text))
    assert (name_of(found.source), found.type, name_of(found.target)) == (source, kind, target)


@pytest.mark.parametrize(
    "text",
    [
        "We don't use Redis any more.",
        "The dispatcher no longer uses Redis.",
        "Does the dispatcher use Redis?",
        "If the dispatcher used Redis, it would be faster.",
        "We could run the dispatcher on Kubernetes.",
        "The dispatcher should use Redis instead of Kafka.",
        "Der Zahlungsdienst nutzt Kafka nicht mehr.",
    ],
)
def test_a_denied_asked_or_supposed_dependency_is_ignored(text: str) -> None:
    assert find_dependencies(text, linked(text)) == ()


def test_all_of_a_list_are_dependencies() -> None:
    text = "The billing worker uses Redis, Kafka and Stripe."
    targets = [name_of(each.target) for each in find_dependencies(text, linked(text))]
    assert targets == ["redis", "apache kafka", "stripe"]


def test_a_fact_joins_an_aspect_with_similar_facts() -> None:
    existing = [
        ("rounding", ["amounts are rounded half to even"]),
        ("colours", ["buttons are red"]),
    ]
    assert classify_aspect("amounts are rounded down", "component", existing)[0] == "rounding"


def test_a_fact_without_cues_gets_the_general_aspect() -> None:
    assert classify_aspect("hello there", "concept", [])[0] == "general"
