"""Derives the title of a session from what was said in it; pure, linear in the text."""

from collections.abc import Sequence
from typing import Final

from intaglio.base.text import clip, first_sentences, storage_form
from intaglio.fence.characters import visible
from intaglio.language.tokens import count_words
from intaglio.sessions.asked.words import asked_words

TITLE_CHARS: Final = 80
PROMPT_CHARS: Final = 300
_READ: Final = 800
_LONGEST_SENTENCE: Final = 110
# "hi", "continue", "go on please": the next prompt says more.
_FEW_WORDS: Final = 3


def shown_title(text: str) -> str:
    """Return a title as a harness gives it in one line, without what can't be seen."""
    return clip(storage_form(visible(text[:_READ])), TITLE_CHARS)


def shown_prompt(prompts: Sequence[str]) -> str:
    """Return the beginning of the first prompt in one line; empty without prompts."""
    return clip(storage_form(visible(prompts[0][:_READ])), PROMPT_CHARS) if prompts else ""


def title_of_prompts(prompts: Sequence[str]) -> str:
    """Return a title of a session's first prompts: what was typed in the first that says something.

    Empty if nothing was.
    """
    first = ""
    for each in prompts:
        typed = storage_form(visible(_typed(each[:_READ])))
        if count_words(typed) > _FEW_WORDS:
            return title_of_text(typed)
        first = first or typed
    return title_of_text(first)


def title_of_text(text: str) -> str:
    """Return the first sentence of a text, clipped at a word."""
    line = storage_form(visible(text[:_READ]))
    first = first_sentences(line, TITLE_CHARS, longest=_LONGEST_SENTENCE) or line
    return clip(first, TITLE_CHARS)


def _typed(prompt: str) -> str:
    """Return what was typed of a prompt; all of it if everything was pasted."""
    return asked_words(prompt).typed.strip() or prompt
