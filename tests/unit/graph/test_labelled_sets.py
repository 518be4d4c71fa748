"""The labelled sets stay well linked."""

import pytest

from bench.entities.scoring import FoundName, load, score
from fakes.graph_names import GraphNames
from intaglio.graph.linking.values import TextToLink


@pytest.mark.parametrize(
    ("name", "floor"),
    [("train", 0.95), ("second", 0.92), ("third", 0.92), ("held", 0.9), ("unseen", 0.83)],
)
def test_the_figures_of_a_set_stay_above_their_floor(name: str, floor: float) -> None:
    graph, sentences = GraphNames(), load(name)
    found: list[list[tuple[int, int, int]]] = []
    for sentence in sentences:
        linked = graph.link(
            TextToLink(
                text=sentence["text"],
                memory_type=sentence["type"],
                importance=0.5,
                by_user=sentence["who"] == "user",
                project_name=sentence["project"],
            )
        )
        found.append(
            [
                (mention.start, mention.end, graph.number(mention.target, sentence["project"]))
                for mention in linked.mentions
            ]
        )
    names = [
        [FoundName(start, end, entity, graph.entities[entity].type) for start, end, entity in each]
        for each in found
    ]
    assert score(sentences, names).f1 >= floor
