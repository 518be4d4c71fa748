"""Names that hold a known word, names known from before, and words that name nothing."""

import pytest

from fakes.graph_names import GraphNames
from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.values import LinkedText, TextToLink


def linked(text: str, graph: GraphNames, project: str = "helios") -> LinkedText:
    """Link a fact of the user."""
    return graph.link(
        TextToLink(
            text=text, memory_type="fact", importance=0.5, by_user=True, project_name=project
        )
    )


def named(*texts: str) -> list[str]:
    """Return the surfaces that are linked in the last of the texts."""
    graph = GraphNames()
    return [[each.surface for each in linked(text, graph).mentions] for text in texts][-1]


def types(text: str) -> list[EntityType]:
    """Return the types of the entities that are made."""
    graph = GraphNames()
    linked(text, graph)
    return [entity.type for entity in graph.entities]


@pytest.mark.parametrize(
    ("text", "name", "type_"),
    [
        ("Julia Hartmann takes over on monday", "Julia Hartmann", "person"),
        ("Stefan Kafka starts monday", "Stefan Kafka", "person"),
        ("built for St. Agnes Hospital", "St. Agnes Hospital", "organization"),
        ("the cluster is MongoDB Atlas", "MongoDB Atlas", "tool"),
    ],
)
def test_a_known_word_may_belong_to_a_longer_name(text: str, name: str, type_: str) -> None:
    assert name in named(text)
    assert type_ in types(text)


def test_a_title_is_no_part_of_the_name() -> None:
    assert named("Mr. Hartmann likes Grafana") == ["Hartmann", "Grafana"]


@pytest.mark.parametrize(
    ("before", "text", "name"),
    [
        ("Priya Kolbeck owns the API.", "kolbeck said no", "kolbeck"),
        ("Priya Kolbeck owns the API.", "Kolbeck is back", "Kolbeck"),
        ("The scheduler is in Go.", "scheduler gives two shifts in a row", "scheduler"),
        ("Our gateway is a box.", "gateway offline since sunday", "gateway"),
        ("the asset importer reads CSV", "l'importer est lent", "importer"),
        ("The old gateway is replaced.", "The old gateway is replaced.", "gateway"),
    ],
)
def test_a_known_name_is_linked_without_article_or_capital(
    before: str, text: str, name: str
) -> None:
    assert name in named(before, text)


def test_a_known_head_before_another_noun_is_no_name() -> None:
    assert named("The scheduler is in Go.", "scheduler drift is below 2 ms") == []


@pytest.mark.parametrize(
    "text",
    [
        "The helios repo is renamed to slipway, links redirect.",
        "Rename the helios repo to slipway",
    ],
)
def test_a_renamed_project_is_known_by_its_new_name(text: str) -> None:
    graph = GraphNames()
    linked(text, graph)
    assert len(graph.entities) == 1
    (mention,) = linked("slipway now has a state of its own", graph).mentions
    assert graph.number(mention.target, "helios") == 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Carriers so far: Norholm, DB Tessen and DHL.", ["Norholm", "DB Tessen"]),
        ("violates the Ninety-Day Rule", ["Ninety-Day Rule"]),
        ("node 20 is pinned", ["node 20"]),
        ("they send CSVs", ["CSVs"]),
        ("Peter Stone met Nadia Church", ["Peter Stone", "Nadia Church"]),
        ("Redis Shardling is not needed", ["Redis Shardling"]),
        ("Postgres runs on the box called heron.", ["Postgres", "heron"]),
        ("Vendors: Acmetron, Blue Harbor, Zentrix", ["Acmetron", "Blue Harbor", "Zentrix"]),
        ("exports from Maya 2024 are flipped", ["Maya 2024"]),
        ("copy .env.sample first", [".env.sample"]),
        ("converts to the .cmesh format", [".cmesh"]),
        ("set AIRFLOW__CORE__TIMEZONE", ["AIRFLOW__CORE__TIMEZONE"]),
        ("王磊发现时区不对", ["王磊"]),
        ("the dead-letter queue grows", ["dead-letter queue"]),
    ],
)
def test_a_mention_covers_the_whole_name(text: str, names: list[str]) -> None:
    assert [name for name in named(text) if name in names] == names
    assert all(name in names or name == "DHL" for name in named(text))


@pytest.mark.parametrize(
    "text",
    [
        "customers in Rotterdam complain",
        "customers from Osaka complain",
        "Ctrl feels broken while dragging",
        "a work-stealing job queue, one thread per core",
        "bad airflow near the terminal",
        "the sentry enemy walks",
    ],
)
def test_places_keys_and_ordinary_words_are_no_names(text: str) -> None:
    assert named(text) == []
