"""The distinctive words of clusters."""

import pytest

from intaglio.projection.labels.clusters import Cluster
from intaglio.projection.labels.terms import LabelTermReader
from intaglio.projection.labels.words import PartTexts, distinctive_words

DEPLOY = [
    "The user prefers to deploy with helm charts",
    "Deployments of the shop run on the kubernetes cluster",
    "The kubernetes cluster has three nodes, deploys go to staging first",
    "helm rollback is how a deploy is undone",
]
TEA = [
    "The user prefers green tea in the afternoon",
    "Tea is ordered from the shop in Hamburg",
    "The shop sells green tea and black tea",
    "Black tea is for the morning",
]


def _cluster(number: int, *parts: int, parent: int | None = None) -> Cluster:
    return Cluster(number, 0 if parent is None else 1, parent, 4, (0.0, 0.0), parts)


def _words(*texts: list[str], inner: bool = False) -> list[tuple[str, ...]]:
    counted = PartTexts()
    for part, own in enumerate(texts):
        for text in own:
            counted.add(part, text)
    clusters = [_cluster(part, part) for part in range(len(texts))]
    if inner:
        clusters = [_cluster(0, 0, 1), _cluster(1, 0, parent=0), _cluster(2, 1, parent=0)]
    return distinctive_words(clusters, [len(own) for own in texts], counted)


def test_the_words_of_a_cluster_are_those_that_others_lack() -> None:
    deploy, tea = _words(DEPLOY, TEA)
    assert {"deploy", "kubernetes", "helm"} <= set(deploy)
    assert {"tea", "green"} <= set(tea)
    assert "shop" not in {*deploy, *tea}


def test_there_are_at_most_four_words_and_none_that_only_one_text_has() -> None:
    deploy, _ = _words(DEPLOY, TEA)
    assert len(deploy) <= 4
    assert "rollback" not in deploy


def test_an_inner_cluster_does_not_repeat_the_words_of_the_outer_one() -> None:
    outer, first, second = _words(DEPLOY, TEA, inner=True)
    assert first
    assert set(outer).isdisjoint({*first, *second})


def test_texts_without_a_common_word_have_no_label() -> None:
    assert _words(["alpha", "beta", "gamma"], TEA)[0] == ()


def test_words_of_other_languages_are_found_without_their_stop_words() -> None:
    german = ["Die Datenbank wird nachts gesichert", "Jede Datenbank liegt auf dem Server"]
    chinese = ["数据库每天备份一次", "所有数据库都要加密"]
    spanish = ["La base de datos está en Madrid", "Madrid tiene la base de datos"]
    assert _words(german, chinese, spanish) == [
        ("Datenbank",),
        ("数据库",),
        ("Madrid", "base", "datos"),
    ]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Call `order_service.create()`", {"Call", "order_service.create"}),
        ("Start app/main.py with --dry-run", {"Start", "app/main.py", "--dry-run"}),
        ("@types/node, C++ and the shop's OAuth2", {"@types/node", "C++", "shop", "OAuth2"}),
        ("On Monday 2026-01-08 at 12:30 we had 3 of 0x1f", set[str]()),
        ("commit 4f2a9c1d, 01976f7e-77b6-7cc9-a4aa-0f1c2d3e4f50", {"commit"}),
        ("see https://example.org/a or mail jo@example.org", {"see", "mail"}),
        ("the key is [redacted:a1b2c3] or hG7x2Kq9vB3nM5pL", {"key"}),
    ],
)  # fmt: skip
def test_names_are_whole_and_numbers_ids_addresses_and_secrets_are_none(
    text: str, terms: set[str]
) -> None:
    assert set(LabelTermReader().read(text).values()) == terms
