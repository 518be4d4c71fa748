"""How far a statement reaches by its words."""

import pytest

from intaglio.capture.reach.scope_words import reach_of


@pytest.mark.parametrize(
    "words",
    [
        "never push to main in all my projects",
        "In all of my repos we use MIT",
        "use uv in all my Python projects",
        "in every project of mine, tests come first",
        "in any repo I work on, squash",
        "not just in this repo: always sign commits",
        "here and in all my other repos I want long options",
        "in this repo and in all the others",
        "across my projects use tabs",
        "in jedem meiner Projekte nur pnpm",
        "in jedem Projekt, das ich anfasse",
        "en todos mis proyectos usamos pnpm",
        "dans tous mes projets on utilise pnpm",
        "我所有的项目都用 pnpm",
        "自分のすべてのプロジェクトで英語を使う",
    ],
)
def test_words_that_name_several_projects_of_the_user_reach_all_of_them(words: str) -> None:
    assert reach_of(words) == "all_projects"


@pytest.mark.parametrize(
    "words",
    [
        "we use UTC everywhere",
        "globally we use the strict compiler flags",
        "we use Zod for all projects",
        "wir nutzen überall UTC",
        "usamos UTC en todas partes",
        "on utilise UTC partout",
        "所有项目都用 UTC",
        "どこでも UTC を使う",
    ],
)
def test_broad_words_without_a_scope_are_ambiguous(words: str) -> None:
    assert reach_of(words) == "unclear"


@pytest.mark.parametrize(
    "words",
    [
        "we use snake_case everywhere in the API",
        "we use Zod for all projects in this monorepo",
        "in this monorepo, all our projects use Zod",
        "PostgreSQL everywhere else",
        "in all our projects at Acme",
        "in der API überall snake_case",
        "en este monorepo todos nuestros proyectos usan Zod",
        "dans tous les projets du monorepo",
        "在这个仓库里所有项目都用 UTC",
        "このモノレポの全プロジェクトで",
        "always use strict mode",
    ],
)
def test_words_that_name_a_place_stay_in_the_project(words: str) -> None:
    assert reach_of(words) == "project"
