"""Splits a text into words, paths, addresses and marks, in one pass that takes linear time."""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.linking.lexicon.ordinary_words import is_ordinary
from intaglio.graph.linking.lexicon.word_lists import words

TokenKind: TypeAlias = Literal[
    "word",
    "cjk",
    "file",
    "path",
    "repository",
    "package",
    "handle",
    "host",
    "variable",
    "number",
    "mark",
]

MOST_CHARS: Final = 2_000
"""How much of a text is looked at."""

_L: Final = r"A-Za-z0-9_\u00c0-\u024f\u0370-\u052f\u1e00-\u1eff\uac00-\ud7af"
_EXTENSIONS: Final = (
    "py|pyi|ipynb|js|mjs|cjs|jsx|ts|mts|tsx|vue|svelte|astro|rs|go|java|kt|kts|scala|rb|"
    "erb|php|cs|fs|c|cc|cpp|cxx|h|hpp|m|mm|swift|dart|ex|exs|erl|hs|lua|pl|r|jl|zig|nim|"
    "sql|sh|bash|zsh|fish|ps1|bat|toml|yaml|yml|json|jsonc|json5|jsonl|xml|ini|cfg|conf|"
    "env|lock|properties|gradle|tf|tfvars|hcl|proto|graphql|gql|md|mdx|rst|adoc|txt|csv|"
    "tsv|xlsx|html|htm|css|scss|sass|less|svg|png|jpg|pdf|log|db|sqlite|resx|tres|tscn|"
    "csproj|sln|xaml|rmd|tex|bib|wasm|dll|exe|apk|jar|whl|zip|tar|gz|tgz|webp|gif|mp4|"
    "onnx|gguf|npy|nix|groovy|kdl|ron|puml|ttf|woff2|po|ics|ndjson|prisma|hbs|ejs|pug|"
    "twig|cshtml|http|npz|parquet|service|timer|plist|pem|crt|key|patch|diff|tmpl|j2|map|"
    "mk|cmake"
)
_DOMAINS: Final = (
    "com|org|net|io|dev|app|ai|co|local|internal|cloud|example|test|lan|tech|xyz|eu|de|fr|"
    "es|uk|ch|at|nl|jp|cn|us|ca|info"
)
# "@docs/plan.md" is a file that a prompt refers to.
_NO_FILE: Final = rf"(?![{_L}./-]{{1,120}}\.(?:{_EXTENSIONS})(?![{_L}]))"
_SCANNER: Final = re.compile(
    rf"""
      (?P<fence>```(?:[^`]|`(?!``))*(?:```)?)
    | (?P<code>`[^`\n]{{1,160}}`)
    | (?P<url>\b[A-Za-z][a-z0-9+]{{1,11}}://[^\s<>"'`）」、。]{{1,2000}})
    | (?P<email>[\w.+-]{{1,64}}@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,4}})
    | (?P<package>(?<![\w@])@{_NO_FILE}[a-z0-9][a-z0-9._-]{{0,60}}/[a-z0-9][\w.-]{{0,60}})
    | (?P<handle>(?<![\w@.])@{_NO_FILE}[A-Za-z][\w-]{{1,38}})
    | (?P<slashed>(?<![{_L}/.])(?:~|\.{{1,2}})?/?(?:[{_L}.@+*-]{{1,60}}/){{1,14}}
        (?:[{_L}.@+*-]{{1,80}})?
        |(?<![{_L}/.)])/[{_L}.-]{{2,60}})
    | (?P<hash>\b(?:[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f-]{{8,40}}
        |(?=[a-f]{{0,40}}\d)[0-9a-f]{{7,64}}
        |sha256:[0-9a-f]{{6,64}}|[A-Z]{{2,10}}-\d{{2,7}})\b|\#\d{{1,9}}\b)
    | (?P<number>[vV]?\d{{1,20}}(?:[.,:x×]\d{{1,9}}){{0,6}}(?:\.x)?%?(?![A-Za-z\d]))
    | (?P<dotted>(?<![{_L}.])\.?[{_L}][{_L}-]{{0,80}}(?:\.[{_L}-]{{1,60}}){{1,6}}(?::\d{{2,5}})?
        |(?<![{_L}.])\.(?:env|NET|gitignore|dockerignore|editorconfig|gitattributes|npmrc|nvmrc
        |prettierrc|eslintrc|zshrc|bashrc|gitlab-ci\.yml|vscode|github|claude|agents)\b
        |(?<![{_L}.])\.[a-z][a-z0-9]{{1,11}}(?=\s(?:format|files?|extension)\b))
    | (?P<word>[{_L}](?:[{_L}]|['’-](?=[{_L}]))*(?:\+\+|\#(?!\d))?)
    | (?P<cjk>[\u3005\u3040-\u30ff\u3400-\u9fff]+)
    | (?P<mark>\n|[^\s\w])
    """,
    re.VERBOSE,
)
_FILE: Final = re.compile(rf"(?:[{_L}.@+*/-]*/)?[{_L}.@+*-]*\.(?:{_EXTENSIONS}|R|Rmd)")
_HOST: Final = re.compile(rf"(?:[a-z0-9-]+\.)+(?:{_DOMAINS})(?::\d+)?|localhost:\d+", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_{1,2}[A-Z0-9]+)+")
_FILE_NAMES: Final = words("tokens", "file_names")
_FOLDERS: Final = words("tokens", "folders")
_REPOSITORY: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})/[A-Za-z0-9_.-]{2,80}")
_REPOSITORY_CUES: Final = re.compile(
    r"(?:repo|repos|repository|fork|forked|clone|github|gitlab|upstream|template|image|"
    r"Repository)\W{0,3}(?:at|is|of|from|in|on|to)?\W{0,2}$"
)
_REPOSITORY_AFTER: Final = re.compile(r"\W?\s(?:repo|repository|fork|image)\b")
_WITH_EXTENSION: Final = re.compile(r".+[a-z0-9_]\.(?!git$|io$|js$|com$|org$|net$)[a-z]{2,6}")
_VERSION_PATH: Final = re.compile(r"/v\d+/?")
_FEWEST_PARTS: Final = 2
_WORDS_IN_DOTTED: Final = re.compile(rf"[{_L}]+(?:-[{_L}]+)*")
_SCHEMES: Final = words("tokens", "schemes")
_CONTINENTS: Final = words("tokens", "continents")
_LONGEST_ELIDED: Final = 4
_ELIDED: Final = frozenset({"l'", "l’", "L'", "L’"})
_BRANCHES: Final = words("tokens", "branches")
_CHOICES: Final = words("tokens", "choices")
_PATH_CUES: Final = re.compile(
    r"\b(?:under|folder|directory|dir|inside|into|in|see|unter|en|dans)\s$"
)
# "Kafka-based" is said of Kafka.
_COMPOUND_ENDINGS: Final = words("tokens", "compound_endings")
_SENTENCE_ENDS: Final = frozenset(".!?\n:;。！？•")
_LIST_MARKS: Final = frozenset("-*>#()[\"“„«'‘「—–")


@dataclass(slots=True)
class Token:
    """A piece of the text: ``low`` is its lower-case form.

    ``initial`` says that a sentence begins with it; ``plain`` that it is a word without inner
    capitals, digits or marks, outside of code; ``capital`` that it is a word that begins with a
    capital letter; ``code`` that it stands between backticks, where ``alone`` says that nothing
    else stands with it.
    """

    kind: TokenKind
    start: int
    end: int
    text: str
    low: str
    initial: bool
    plain: bool = False
    capital: bool = False
    code: bool = False
    alone: bool = False


def scan(text: str) -> list[Token]:
    """Split a text's first characters into tokens; what names nothing is left out or is a mark."""
    scanning = _Scanning(text[:MOST_CHARS])
    scanning.run(0, min(len(text), MOST_CHARS), code=False)
    return scanning.tokens


class _Scanning:
    """Collects the tokens of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.initial = True
        self.owners: set[str] = set()

    def run(self, start: int, end: int, *, code: bool) -> None:
        for match in _SCANNER.finditer(self.text, start, end):
            group = match.lastgroup
            at, until = match.span()
            if group == "word":
                self.word(at, until, code=code)
            elif group == "mark":
                self.mark(at, until)
            elif group == "code":
                self.code(at + 1, until - 1)
            elif group == "slashed":
                self.slashed(at, until, code=code)
            elif group == "dotted":
                self.dotted(at, until, code=code)
            elif group == "url":
                self.url(at, until)
            elif group in {"package", "handle", "number", "cjk"}:
                self.add(cast("TokenKind", group), at, until, code=code)
            elif group == "hash":
                self.hash(at, until, code=code)
            else:
                self.mark(until - 1, until)

    def add(self, kind: TokenKind, start: int, end: int, *, code: bool = False) -> None:
        text = self.text[start:end]
        low = text.lower()
        plain = capital = False
        if kind == "word":
            plain = not code and text[1:] == low[1:] and text.isalpha()
            capital = text[0] != low[0]
        self.tokens.append(Token(kind, start, end, text, low, self.initial, plain, capital, code))
        # "1) Kafka" begins with Kafka.
        self.initial = self.initial and kind == "number"

    def mark(self, start: int, end: int) -> None:
        text = self.text[start:end]
        self.tokens.append(Token("mark", start, end, text, text, initial=False))
        if text in _SENTENCE_ENDS:
            self.initial = True
        elif text not in _LIST_MARKS:
            self.initial = False

    def word(self, start: int, end: int, *, code: bool) -> None:
        text = self.text[start:end]
        if text[-2:] in {"'s", "’s"}:
            end -= 2
            text = text[:-2]
        kind: TokenKind = "word"
        if text[:2] in _ELIDED and len(text) > _LONGEST_ELIDED:
            start, text = start + 2, text[2:]
        stem, dash, ending = text.rpartition("-")
        if dash and (ending.lower() in _COMPOUND_ENDINGS or _is_said_of(text, stem)):
            end -= len(ending) + 1
            text = stem
        if text in _FILE_NAMES:
            kind = "file"
        elif "_" in text and _VARIABLE.fullmatch(text):
            kind = "variable"
        self.add(kind, start, end, code=code)

    def hash(self, start: int, end: int, *, code: bool) -> None:
        text = self.text[start:end]
        if text.lower() in SPELLINGS or text.isdecimal():
            self.add("number" if text.isdecimal() else "word", start, end, code=code)
        else:
            self.mark(start, end)

    def code(self, start: int, end: int) -> None:
        before = len(self.tokens)
        self.run(start, end, code=True)
        words = [token for token in self.tokens[before:] if token.kind != "mark"]
        marks = "".join(token.text for token in self.tokens[before:] if token.kind == "mark")
        if len(words) == 1 and marks in {"", "()"}:
            words[0].alone = True
        self.initial = False

    def url(self, start: int, end: int) -> None:
        host = self.text.index("://", start, end) + 3
        if self.text[start : host - 3].lower() not in _SCHEMES:
            self.mark(start, end)
            return
        stop = host
        while stop < end and (self.text[stop].isalnum() or self.text[stop] in ".-"):
            stop += 1
        if self.text[stop - 1 : stop] == ".":
            stop -= 1
        if "." in self.text[host:stop] and not self.text[host:stop].replace(".", "").isdecimal():
            self.add("host", host, stop)
        else:
            self.mark(start, end)

    def dotted(self, start: int, end: int, *, code: bool) -> None:
        text = self.text[start:end]
        if text.lower() in SPELLINGS:
            self.add("word", start, end, code=code)
        elif text in _FILE_NAMES or (_FILE.fullmatch(text) and not text[-2:].isdecimal()):
            self.add("file", start, end, code=code)
        elif _HOST.fullmatch(text):
            self.add("host", start, end, code=code)
        elif text[0] == "." and text.islower():
            self.add("file", start, end, code=code)
        else:
            for match in _WORDS_IN_DOTTED.finditer(text):
                if not match.start():
                    self.word(start, start + match.end(), code=code)
                elif _VARIABLE.fullmatch(match.group()) or match.group()[0].isupper():
                    self.mark(start + match.start() - 1, start + match.start())
                    self.word(start + match.start(), start + match.end(), code=code)

    def slashed(self, start: int, end: int, *, code: bool) -> None:
        while end > start and self.text[end - 1] in ".*-+@" and self.text[end - 2 : end] != "/*":
            end -= 1
        text = self.text[start:end]
        if text.lower() in SPELLINGS:
            self.add("word", start, end, code=code)
        elif _WITH_EXTENSION.fullmatch(text):
            self.add("path", start, end, code=code)
        elif text.partition("/")[0].lower() in _CONTINENTS | _BRANCHES and not _FILE.fullmatch(
            text
        ):
            self.mark(end - 1, end)
        elif _is_path(text) or (
            text.islower()
            and not _is_choice(text)
            and _PATH_CUES.search(self.text[max(0, start - 12) : start])
        ):
            self.add("path", start, end, code=code)
        elif self.is_repository(text, start):
            self.owners.add(text.partition("/")[0])
            self.add("repository", start, end - 4 * text.endswith(".git"), code=code)
        else:
            for match in _WORDS_IN_DOTTED.finditer(text):
                if match.start():
                    self.mark(start + match.start() - 1, start + match.start())
                if not match.group()[0].isdecimal():
                    self.word(start + match.start(), start + match.end(), code=code)

    def is_repository(self, text: str, start: int) -> bool:
        if not _REPOSITORY.fullmatch(text):
            return False
        owner, name = text.split("/")
        if _WITH_EXTENSION.fullmatch(name):
            return False
        if owner in self.owners:
            return True
        if _REPOSITORY_CUES.search(self.text[max(0, start - 24) : start]):
            return True
        if _REPOSITORY_AFTER.match(self.text, start + len(text)):
            return True
        parts = re.split("[-_.]", f"{owner}-{name}".lower())
        return len(parts) > _FEWEST_PARTS and not all(is_ordinary(part) for part in parts)


def _is_said_of(text: str, stem: str) -> bool:
    """Tell whether a compound begins with a known name: "Excel-Datei", "Kafka-Topic"."""
    whole = text.lower()
    if not stem[:1].isupper() or whole in SPELLINGS or whole.replace("-", " ") in SPELLINGS:
        return False
    return stem.lower() in SPELLINGS and text[len(stem) + 1].isalpha()


def _is_choice(text: str) -> bool:
    """Tell whether a slash means "or", as in "client/server" or "js/ts"."""
    parts = text.split("/")
    return all(part in SPELLINGS or part in _CHOICES or len(part) == 1 for part in parts)


def _is_path(text: str) -> bool:
    if text[0] in "/~." or text.endswith(("/", "/*")):
        return (
            not _VERSION_PATH.fullmatch(text)
            and len(text.strip("/~.*")) > 1
            and not text.strip("/~.*").isdecimal()
        )
    parts = text.split("/")
    if not all(parts) or any(part.isdecimal() for part in parts):
        return False
    return _FILE.fullmatch(parts[-1]) is not None or (
        parts[0] in _FOLDERS and (len(parts) > _FEWEST_PARTS or parts[0] not in _BOTH)
    )


# "client/server" is no path, "client/server/app.ts" is one.
_BOTH: Final = frozenset(
    {"client", "server", "frontend", "backend", "web", "app", "api", "build", "test"}
)
