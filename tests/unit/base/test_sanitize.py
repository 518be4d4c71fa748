"""What an agent is given holds nothing invisible and no tag that means something to a harness."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.fence_escapes import ESCAPES, PLAIN
from intaglio.fence.characters import visible
from intaglio.fence.marks import strip_injected
from intaglio.fence.outgoing import Fence
from intaglio.fence.tags import GENERAL_TAGS
from intaglio.harness.registry import harnesses, meaningful_tags

FENCE = Fence(meaningful_tags(harnesses().values()))
# Read by a rule of its own, not by the product's: letters that look Latin, without what is unseen.
LATIN = str.maketrans("\u0455\u0443\u0435\u03b5\u0131\u2011\u2039\u27e8\u25c1\u2800", "syeei-<<< ")
TAG = re.compile(
    r"<[\s/\\]*(?:\w+:)?(?:system|assistant|instructions|thinking|invoke|sys)[\s/]*[>=]"
    r"|<[\s/\\]*(?:\w+:)?(?:intaglio[ -]+memory|signet-memory|system\s?.?reminder"
    r"|(?:function|tool).\w+"
    r"|command-name|local-command|bash-input|user-prompt|pasted.content|task-notif|teammate"
    r"|environment.context|user.instructions|permissions|start.of.turn|invoke name)"
    r"|<\||\[/INST\]|<<sys|</user|&#|\\u003c|\\u\{",
    re.IGNORECASE,
)
# Fillers, and variation selectors of ideographs where there is none.
HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u3164\uffa0]"
    "|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)
PIECES = st.sampled_from(
    [
        *("<", "\uff1c", "\u2039", "&#60;", "</", "< /", ">", "<<", "=", " ", "\n", "&lt;", "x"),
        *("system-reminder", "SYSTEM_Reminder", "sys", "tem-", "reminder", "system", "\u0455ystem"),
        *("intaglio-memory", "signet-", "memory", "user", "tool_result", "|im_start|", "a:", "*"),
        *("\u200b", "\u200d", "\u200c", "\u200e", "\u200f", "\xad", "\x00", "\x1b[0m", "\u202e"),
        *("\U000e0041", "\ufe0f", "\ufe00", "\U000e0100", "\u180b", "\u3164", "\u0301", "\u2028"),
        *("\u0645", "\u094d", "\U0001f600", "\u2194", "\u8449", "\r", "\r\n", "\x85"),
    ]
)
HOSTILE = st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=14).map("".join)


def as_read(text: str) -> str:
    seen = (char for char in text if unicodedata.category(char) not in {"Cf", "Mn", "Cc"})
    folded = unicodedata.normalize("NFKC", "".join(seen)).translate(LATIN)
    # What stands in the place of a bracket is text.
    return folded.replace("&lt;", "[").replace("&#91;", "(")


def forbidden(text: str) -> list[str]:
    """List what no agent may get: control and format characters but those with an effect."""
    kept = "\n\t\u200c\u200d\u200e\u200f"
    kinds = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    found = [char for char in text if unicodedata.category(char) in kinds and char not in kept]
    return found + HIDDEN.findall(text)


@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES)
def test_no_escape_sequence_leaves_the_fence(text: str) -> None:
    assert text != FENCE.sanitize(text)
    clean = FENCE.sanitize(text)
    assert not forbidden(clean)
    assert not TAG.search(as_read(clean)), clean
    assert strip_injected(f"a{FENCE.wrap(text, {'project': text, 'kind': text})}b") == "ab"


def test_the_test_recognises_escapes() -> None:
    unseen = [
        name
        for name, text in ESCAPES.items()
        if not forbidden(text) and not TAG.search(as_read(text))
    ]
    assert unseen == []


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_plain_text_of_any_language_stays_as_it_is(text: str) -> None:
    assert FENCE.sanitize(text) == text
    assert visible(text) == text


@given(HOSTILE)
@example("\u2640\u200d\uff1csystem>")
@example("\uff1c\ufe00system>")
@example("\u200e\u200d\u200e")
def test_cleaned_text_is_clean_and_stays_as_it_is(text: str) -> None:
    clean = FENCE.sanitize(text)
    assert not forbidden(clean)
    assert FENCE.sanitize(clean) == clean
    assert strip_injected(clean) == clean
    assert not re.search(r"<\s*/?\s*system\s?.?reminder(?!\w)", as_read(clean), re.IGNORECASE)


@given(st.text())
def test_visible_characters_are_kept(text: str) -> None:
    def letters(text: str) -> list[str]:
        return [char for char in text if unicodedata.category(char)[0] in "LNP"]

    plain = re.sub("[\u115f\u1160\u3164\uffa0]|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]", "", text)
    assert letters(visible(text)) == letters(plain)


def test_every_declared_tag_is_neutralised_in_each_spelling() -> None:
    names = [tag.replace("*", "x") for tag in (*GENERAL_TAGS, *FENCE.tags)]
    for name in names:
        for spelled in (name, name.upper(), name.replace("-", "_")):
            for text in (f"<{spelled}>", f"</{spelled}>", f'<{spelled} a="b">', f"< {spelled} />"):
                assert FENCE.sanitize(text) == "&lt;" + text[1:]


def test_a_joiner_stays_only_where_it_has_an_effect() -> None:
    assert visible("a\u200db\u200cc \u200d") == "abc "
    assert visible("\u0645\u200c\u200d\u0645") == "\u0645\u0645"
    assert visible("\U0001f468\u200d\U0001f469\u200d") == "\U0001f468\u200d\U0001f469"


def test_a_long_hostile_text_is_cleaned_at_once() -> None:
    # Each of these takes minutes if its cost grows with the square of the length.
    for piece in ("<", "< ", "<a_b_", "\u0645\u200c<", "<user>", "\U000e0041", "\u200d"):
        FENCE.sanitize(piece * (300_000 // len(piece)))
