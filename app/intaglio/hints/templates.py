"""Makes questions of a memory's own words, without a model; pure."""

from collections.abc import Mapping
from typing import Final

from intaglio.graph.linking.aspects import aspect_of
from intaglio.language.stems import stem
from intaglio.language.tokens import fold, is_cjk, words
from intaglio.language.topics import topic_words

MOST: Final = 4
_MOST_TOPIC: Final = 5
_MOST_CHARS: Final = 400

_BY_TYPE: Final[Mapping[str, tuple[str, ...]]] = {
    "decision": ("What did we decide about {topic}?", "Why did we choose {topic}?"),
    "preference": ("What do I prefer or like for {topic}?",),
    "rule": ("What is allowed or forbidden for {topic}?", "What must I do about {topic}?"),
    "procedural": ("How do I do {topic}?", "Which steps or command for {topic}?"),
    "issue": ("What is the problem or error with {topic}?", "Why does {topic} fail?"),
    "learning": ("What did we find out or learn about {topic}?",),
    "session_summary": ("What did we work on with {topic}?",),
}
_ELSE: Final = ("What do we know about {topic}?",)
_BY_ASPECT: Final[Mapping[str, str]] = {
    "ownership": "Who owns, maintains or is responsible for {topic}?",
    "security": "How are secrets, access and login of {topic} secured?",
    "deployment": "How and where is {topic} deployed, released or hosted?",
    "testing": "How is {topic} tested, and which command runs the tests?",
    "versions": "Which version of {topic} do we use?",
    "storage": "Where does {topic} store its data, in which database?",
    "performance": "How fast or large is {topic}, and what are its limits and timeouts?",
    "dependencies": "What does {topic} depend on or need?",
    "configuration": "Where is {topic} configured, with which settings?",
    "interface": "Which endpoint, port or API does {topic} have?",
    "schedule": "When and how often does {topic} happen?",
    "workflow": "What is the process or workflow for {topic}?",
    "issues": "What is broken or known to fail in {topic}?",
    "conventions": "Which style, naming or convention applies to {topic}?",
    "communication": "How and with whom do we communicate about {topic}?",
    "technology": "Which tool, library or language do we use for {topic}?",
}


def template_questions(content: str, memory_type: str) -> tuple[str, ...]:
    """Return questions that a memory may answer; none if it says too little."""
    topic = " ".join(_topic(content[:_MOST_CHARS]))
    if not topic:
        return ()
    asked: list[str] = [*_BY_TYPE.get(memory_type, _ELSE)]
    of_aspect = _BY_ASPECT.get(aspect_of(content) or "")
    if of_aspect is not None:
        asked.append(of_aspect)
    return tuple(each.format(topic=topic) for each in asked[:MOST])


def _topic(text: str) -> list[str]:
    """Return the first words of the topic, as written; names of code and of people first."""
    carried = topic_words(text)
    found: dict[str, str] = {}
    for word in words(text):
        key = stem(fold(word).lstrip(".-*~"))
        if not is_cjk(word) and key in carried:
            found.setdefault(key, word)
    listed = list(found.values())
    named = [word for word in listed[1:] if word[:1].isupper() or not word.isalpha()]
    chosen = set([*named, *listed][:_MOST_TOPIC])
    return [word for word in listed if word in chosen]
