"""Whose statement a fact is: computed from the memory that it was read in, never believed."""

from intaglio.base.text import split_sentences
from intaglio.capture.evidence import OwnSentence, SpokenMessage, tokens, verify
from intaglio.graph.link_memory import is_by_user
from intaglio.memory.values import Memory
from intaglio.pipeline.extraction.values import ExtractedFact, ReadFact


def with_standing(source: Memory, fact: ExtractedFact) -> ReadFact:
    """Return a fact with whose it is.

    It is the user's only if the source memory is, and the words that the model quotes stand in it
    and say what the fact says; else it is what the pipeline concludes.
    """
    by_user = is_by_user(source) and not source.is_of_agent
    return ReadFact(fact=fact, said_by_user=by_user and _is_borne_out(source.content, fact))


def _is_borne_out(text: str, fact: ExtractedFact) -> bool:
    if not fact.evidence.strip():
        return False
    sentences: list[OwnSentence] = []
    position = 0
    for each in split_sentences(text):
        start = max(text.find(each, position), position)
        position = start + len(each)
        sentences.append(OwnSentence(each, start, position, tokens(each)))
    return (
        verify(fact.content, (fact.evidence,), (SpokenMessage("memory", tuple(sentences)),))
        is not None
    )
