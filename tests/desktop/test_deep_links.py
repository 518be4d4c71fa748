"""Deep links: read strictly, written so that they are read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.api.gate.sign_in import own_page
from intaglio.desktop.deep_links import InvalidLink, link_of, parse_link, path_of
from intaglio.desktop.values import (
    PAGES,
    Destination,
    OpenMemory,
    OpenPage,
    QuickRemember,
    QuickSearch,
)

_LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"], include_characters=" ")
_WORDS = st.text(_LETTERS, max_size=120).map(str.strip)
_IDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}", fullmatch=True)
SHOWS: st.SearchStrategy[Destination] = st.one_of(
    st.builds(OpenPage, st.sampled_from(PAGES)),
    st.builds(OpenMemory, _IDS),
    st.builds(QuickSearch, _WORDS),
    st.just(QuickRemember()),
)


@given(SHOWS)
def test_what_is_written_is_read_back(destination: Destination) -> None:
    assert parse_link(link_of(destination)) == destination


@given(SHOWS)
def test_every_page_that_a_link_leads_to_is_one_of_the_dashboards_own(
    destination: Destination,
) -> None:
    assert own_page(path_of(destination)) == path_of(destination)


@given(st.text(max_size=300))
def test_any_text_at_all_gets_an_answer(text: str) -> None:
    assert isinstance(parse_link(text), Destination | InvalidLink)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_link_at_all_means_something_known_or_nothing(word: str, rest: str) -> None:
    what = parse_link(f"intaglio://{word}/{rest}")
    if isinstance(what, InvalidLink):
        assert what.reason.endswith(".")
    else:
        assert parse_link(link_of(what)) == what


@pytest.mark.parametrize(
    ("link", "destination"),
    [
        ("intaglio://open/memories", OpenPage("memories")),
        ("intaglio://open/constellation", OpenPage("constellation")),
        ("intaglio://open/status", OpenPage("status")),
        ("intaglio://open/help", OpenPage("help")),
        ("intaglio://open/connect", OpenPage("connect")),
        ("intaglio://open/settings", OpenPage("settings")),
        ("intaglio://open", OpenPage()),
        ("INTAGLIO://Open/Home/", OpenPage()),
        ("intaglio://memory/0193-ab", OpenMemory("0193-ab")),
        ("intaglio://search?q=why%20postgres%3F", QuickSearch("why postgres?")),
        ("intaglio://search/?q=a+b", QuickSearch("a b")),
        ("intaglio://search", QuickSearch()),
        ("intaglio://remember/", QuickRemember()),
    ],
)
def test_a_link_is_read(link: str, destination: Destination) -> None:
    assert parse_link(link) == destination


@pytest.mark.parametrize(
    "link",
    [
        "",
        "https://open/memories",
        "intaglio:open/memories",
        "intaglio:///memory/1",
        "intaglio://open/settings/../x",
        "intaglio://open/nowhere",
        "intaglio://open/memories?x=1",
        "intaglio://open/memories#x",
        "intaglio://memory/",
        "intaglio://memory/a%2Fb",
        "intaglio://memory/a/b",
        "intaglio://memory/%zz",
        "intaglio://memory/..",
        "intaglio://me:pw@memory/1",
        "intaglio://memory:80/1",
        "intaglio://search?q=1&q=2",
        "intaglio://search?x=1",
        "intaglio://search?q=%ff",
        "intaglio://search?q=a%0Ab",
        "intaglio://search?q=" + "a" * 501,
        "intaglio://remember?text=planted",
        "intaglio://restart",
        "intaglio://open/" + "a" * 5_000,
    ],
)
def test_a_link_that_means_nothing_is_refused_with_a_reason(link: str) -> None:
    what = parse_link(link)
    assert isinstance(what, InvalidLink)
    assert what.reason.endswith(".")
