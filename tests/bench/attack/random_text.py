"""Random text of any structure: what people, models and files may hold, at any length."""

import random
from dataclasses import dataclass
from typing import Final

MAX_CHARS: Final = 1_000_000

_PIECES: Final = (
    *(" ", "  ", "\t", "\n", "\r\n", "\n\n", "\u00a0", "\u3000", "\u200b", "\x00", "\x1b[2J"),
    *('"', "'", "`", "```", "~~~", "\u201c", "\u00ab", "\u300c", "\\", "\\\\", "\\n", "/", "//"),
    *(":", ": ", "\uff1a", ";", ",", "\uff0c", "\u3001", ".", "...", "!", "?", "\u3002", "-", "--"),
    *("(", ")", "[", "]", "{", "}", "<", ">", "</", "/>", "<a ", "<b>", "</b>", "<!--", "-->"),
    *("=", "==", "=>", "|", "||", "&&", "#", "##", "# ", "* ", "- ", "1. ", "> ", "@", "@a/b.md "),
    *("$", "${", "{{", "}}", "%", "%s", "%00", "^", "+", "~", "_", "__", "a_b", "A", "a", "0", "9"),
    *("key=", "token: ", "password = '", "Bearer ", "-----BEGIN ", "PRIVATE KEY-----", "https://"),
    *(
        "a@b.cd",
        "10.0.0.1",
        "C:\\",
        "~/.ssh/",
        "../",
        "a.b.c",
        "a-b-c",
        "fooBar",
        "ERROR ",
        "at x(",
    ),
    *(
        "we ",
        "always ",
        "never ",
        "use ",
        "not ",
        "from now on ",
        "everywhere ",
        "in all my ",
        "is ",
    ),
    *("the service ", "depends on ", "Postgres ", "instead of ", "because ", "decided to ", "and "),
    *("[Image #1] ", "[Pasted text #2 +40 lines]", '<pasted_content id="ab12">\n', "/cmd "),
    *("\u4f7f\u7528", "\u6587\u6863 abc:", "\u5fc5\u987b", "\u3059\u3079\u3066", "\u30d7\u30ed"),
    *("\u05e9\u05dc\u05d5\u05dd ", "\u0645\u0631\u062d\u0628\u0627 ", "\u0928\u092e\u0938\u094d"),
    *("\u0e2a\u0e27\u0e31", "\ud55c\uad6d", "\u0440\u0443\u0441 ", "\u00e9", "e\u0301", "\u00df"),
    *("\u0300", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f600", "\ud83d", "\udc00"),
    *("\u202e", "\u2028", "\ufeff", "\ufffd", "\U00020000", "\u01c5", "\ufb01", "\u0130"),
)
_WITH_SENTENCE: Final = 0.4
_OPENING: Final = (("(", ")"), ("[", "]"), ("{", "}"), ("<b>", "</b>"), ('"', '"'), ("`", "`"))
_SENTENCES: Final = (
    "We decided to use Postgres for the ledger.",
    "Never push to main.",
    "The billing service depends on Redis, not on Kafka.",
    "Wir nutzen \u00fcberall UTC.",
    "\u6211\u4eec\u51b3\u5b9a\u4f7f\u7528 Redis\u3002",
)


@dataclass(frozen=True, slots=True)
class RandomText:
    """A source of texts; the same for the same seed."""

    random: random.Random

    def text(self, longest: int = MAX_CHARS) -> str:
        """Return a text of 1 to ``longest`` characters; short ones are as likely as long ones."""
        length = int(longest ** self.random.random())
        make = self.random.choice(
            (self._repeated, self._repeated, self._mixed, self._nested, self._alternating)
        )
        text = make(max(1, length))
        if self.random.random() < _WITH_SENTENCE:
            # At the beginning, the middle or the end of it.
            at = self.random.choice((0, len(text) // 2, len(text)))
            text = text[:at] + self.random.choice(_SENTENCES) + text[at:]
        return text[:longest]

    def _pieces(self, count: int) -> list[str]:
        return self.random.choices(_PIECES, k=count)

    def _repeated(self, length: int) -> str:
        """One short sequence again and again, and something else at the end."""
        unit = "".join(self._pieces(self.random.randint(1, 4)))
        return (unit * (length // len(unit) + 1))[:length] + self.random.choice(_PIECES)

    def _mixed(self, length: int) -> str:
        chosen = self._pieces(self.random.randint(2, 40))
        return "".join(self.random.choices(chosen, k=max(1, length // 3)))[:length]

    def _nested(self, length: int) -> str:
        opening, closing = self.random.choice(_OPENING)
        depth = max(1, length // (len(opening) + len(closing) + 1))
        return opening * depth + self.random.choice(_PIECES) + closing * depth

    def _alternating(self, length: int) -> str:
        """Long runs of a few pieces, one after another."""
        run = max(1, length // self.random.randint(2, 12))
        return "".join(each * (run // len(each) + 1) for each in self._pieces(4))[:length]
