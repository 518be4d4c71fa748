"""What the linker takes for the name of an entity, and what it doesn't."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.graph_names import GraphNames
from intaglio.graph.linking.link import MOST_ENTITIES, link
from intaglio.graph.linking.values import LinkedText, TextToLink


def linked(
    text: str, graph: GraphNames | None = None, project: str | None = "helios"
) -> LinkedText:
    """Link a fact of the user."""
    return (graph or GraphNames()).link(
        TextToLink(
            text=text, memory_type="fact", importance=0.5, by_user=True, project_name=project
        )
    )


def named(text: str, graph: GraphNames | None = None, project: str | None = "helios") -> list[str]:
    """Return the surfaces that are linked."""
    return [mention.surface for mention in linked(text, graph, project).mentions]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("we moved from mysql to PostgreSQL 16", ["mysql", "PostgreSQL 16"]),
        ("The payments gateway retries twice.", ["payments gateway"]),
        ("the dispatcher is slow", ["dispatcher"]),
        ("Set LEDGER_URL in deploy/prod.env first", ["LEDGER_URL", "deploy/prod.env"]),
        ("The `IngestWorker` class is huge", ["IngestWorker"]),
        ("billing-api returns 402", ["billing-api"]),
        ("ask Priya about it", ["Priya"]),
        ("owned by Marco Rossi", ["Marco Rossi"]),
        ("@lena reviews it", ["@lena"]),
        ("fork the repo acme/widgets", ["acme/widgets"]),
        ("publish @acme/ui to npm", ["@acme/ui", "npm"]),
        ("see https://docs.acme.dev/start?x=1", ["docs.acme.dev"]),
        ("written in Go 1.22", ["Go 1.22"]),
        ("Our customer Northwind asked again", ["Northwind"]),
        ("Der Zahlungsdienst nutzt Kafka.", ["Zahlungsdienst", "Kafka"]),
        ("El servicio de pagos usa Stripe.", ["servicio de pagos", "Stripe"]),
        ("Le service de paiement appelle Stripe.", ["service de paiement", "Stripe"]),
        ("決済サービスはGoで書かれている。", ["決済サービス", "Go"]),
        ("支付服务部署在Kubernetes上。", ["支付服务", "Kubernetes"]),
    ],
)
def test_names_are_found(text: str, names: list[str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "make sure the tests pass, then go ahead",
        "Express concern early when estimates slip",
        "the notion that tests are optional is wrong",
        "Linear history only",
        "swift action is needed in spring",
        "NEVER DEPLOY ON FRIDAYS",
        "Always Write Tests First",
        "Monday and March are busy, POST is not idempotent",
        "mail ops@example.com about 3f2a9bc41d and 550e8400-e29b-41d4-a716-446655440000",
        "Deployments take ten minutes. Answers should be short.",
        "Die Tests sind langsam, weil die Datenbank jedes Mal neu angelegt wird.",
        "提交信息用英文写。",
        "it is slow, they said so, we should fix it",
        "```\nfrom redis import Redis\n```",
        "",
    ],
)
def test_ordinary_words_are_no_entities(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize(
    ("introduced", "later", "name"),
    [
        ("the Kestrel Billing Service (KBS) is new", "KBS is slow", "KBS"),
        ("Kestrel Billing Service, KBS for short, is new", "KBS is slow", "KBS"),
        ("We call the ingest worker Moby", "moby crashed", "moby"),
        ('Call the ingest worker "Moby" from now on', "Moby crashed", "Moby"),
        ("PG means Postgres here", "pg is slow", "pg"),
        ("rename the plan viewer to Spyglass", "Spyglass renders it", "Spyglass"),
        ("The sync engine is now called Hermes", "Hermes failed", "Hermes"),
        ("the weather proxy, aka Petrichor, is new", "Petrichor failed", "Petrichor"),
        ('when I say "the monolith" I mean the rails app', "the monolith is old", "monolith"),
        ("Wir nennen den Tarifrechner intern Krake", "Krake rundet", "Krake"),
        ("On appelle le moteur de recherche Loupe", "Loupe est lent", "Loupe"),
        ("Marco Rossi owns it", "Marco agreed", "Marco"),
        ("Priya agreed", "Priya Raman owns it", "Priya Raman"),
        ("Acme Corp is a customer", "Acme renewed", "Acme"),
        ("Our customer Initech uses Okta", "Initech Corp signed", "Initech Corp"),
    ],
)
def test_a_name_that_a_text_introduces_is_known_later(
    introduced: str, later: str, name: str
) -> None:
    graph = GraphNames()
    first = linked(introduced, graph).mentions[0].target
    (mention,) = [each for each in linked(later, graph).mentions if each.surface == name]
    assert graph.number(mention.target, "helios") == graph.number(first, "helios")


def test_spellings_of_a_tool_are_one_entity() -> None:
    graph = GraphNames()
    for text in ("use Postgres", "PG is slow", "PostgreSQL 16 is out", "run psql"):
        linked(text, graph)
    assert [entity.name for entity in graph.entities] == ["PostgreSQL"]


def test_equal_names_in_two_projects_are_two_entities() -> None:
    graph = GraphNames()
    linked("the dispatcher is slow", graph, "helios")
    linked("the dispatcher is fast", graph, "kestrel")
    linked("restart the dispatcher", graph, "helios")
    assert [(entity.name, entity.mentions) for entity in graph.entities] == [
        ("dispatcher", 2),
        ("dispatcher", 1),
    ]


def test_a_tool_and_a_person_of_one_name_are_two_entities() -> None:
    graph = GraphNames()
    linked("Jenkins builds everything", graph)
    linked("Tom Jenkins wrote the report", graph)
    assert [(entity.name, entity.type) for entity in graph.entities] == [
        ("Jenkins", "tool"),
        ("Tom Jenkins", "person"),
    ]


def test_people_who_share_a_first_name_stay_apart() -> None:
    graph = GraphNames()
    linked("Priya Raman owns it", graph)
    linked("Priya Patel reviews it", graph)
    assert [entity.name for entity in graph.entities] == ["Priya Raman", "Priya Patel"]


def test_names_are_asked_for_once_and_few_of_them() -> None:
    asked: list[int] = []

    def find(names: object) -> dict[str, list[object]]:
        asked.append(len(names))  # type: ignore[arg-type] # a collection
        return {}

    text = "Foo bar " * 20_000
    link(
        TextToLink(text=text, memory_type="fact", importance=0.5, by_user=True, project_name=None),
        find,  # type: ignore[arg-type] # it knows nothing
    )
    assert len(asked) == 1
    assert asked[0] < 2_500


_WORDS = """
Kafka we call the ingest worker Moby `a` ``` src/a.py @x/y (KBS) aka 服务 さん Priya Rossi means Go
in . , http://a.b/ A_B é 😀 's C++ 16 auth-service Herr de {
"""
_PIECES = st.sampled_from([*_WORDS.split(), "\n", "\x00", '"'])


@given(st.one_of(st.text(max_size=300), st.lists(_PIECES, max_size=60).map(" ".join)))
def test_mentions_lie_within_the_text_and_never_overlap(text: str) -> None:
    once, twice = linked(text), linked(text)
    assert once == twice
    end = 0
    for mention in once.mentions:
        assert end <= mention.start < mention.end
        assert text[mention.start : mention.end] == mention.surface
        end = mention.end


_UNITS = """
a/|a.|@a|a-|a_|`a |```| |A |AB |1.|中文服务|(|Abc (A) |we call |Foo aka |x service |http://|a+
|A means |a'|aB-/.@|~/|Ä|#
"""


@pytest.mark.parametrize("unit", _UNITS.split("|"))
def test_random_text_takes_bounded_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    before = time.process_time()
    found = linked(text)
    assert time.process_time() - before < 1.5
    assert len({mention.target for mention in found.mentions}) <= MOST_ENTITIES


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("All timestamps follow ISO 8601.", "ISO 8601"),
        ("Dates are ISO-8601 strings", "ISO 8601"),
        ("Currency codes follow ISO 4217, as in the bank's file.", "ISO 4217"),
        ("Country codes are ISO 3166-1.", "ISO 3166"),
        ("We're certified for ISO 27001:2022 here.", "ISO 27001"),
        ("We're certified for ISO/IEC 27001 here.", "ISO 27001"),
        ("ISO 8583 messages go to the switch", "ISO 8583"),
        ("The label follows ISO 15223 now", "ISO 15223"),
        ("Problems follow RFC 7807 everywhere", "RFC 7807"),
        ("The access points speak IEEE 802.11 only", "IEEE 802.11"),
        ("We use Python 3.11 here", "Python"),
    ],
)
def test_a_standard_is_named_by_its_number(text: str, name: str) -> None:
    graph = GraphNames()
    graph.link(
        TextToLink(
            text=text, memory_type="fact", importance=0.5, by_user=True, project_name="helios"
        )
    )
    assert [each.name for each in graph.entities] == [name]


def test_an_ordinary_word_is_no_product_whose_name_has_a_number() -> None:
    assert named("We construct the address from the host") == []
