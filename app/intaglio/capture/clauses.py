"""Splits the user's own words into sentences and clauses, keeping their positions.

Whole sentences are judged; clauses tell what somebody takes back.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from intaglio.capture.citations import cites, may_cite, speaks
from intaglio.capture.foreign_text import CERTAIN, OwnLine, own_text
from intaglio.capture.own_voice import is_in_person
from intaglio.capture.values import Block, Clause
from intaglio.language.detection import language_of
from intaglio.language.tokens import count_cjk, count_words

MAX_MESSAGE: Final = 1_000_000
# The first and the last clauses are read; more than this is a document.
MAX_CLAUSES: Final = 240
MAX_CLAUSE: Final = 600
_MAX_HEADING: Final = 100
_SOME_FOREIGN: Final = 0.34

_HIDDEN: Final = re.compile(
    r"`++(?:[^`\n]{1,400}+`++|(?<=``))|https?://\S+|\"[^\"\n]{0,300}+\"|“[^“”\n]{0,300}+”"
    r"|„[^„“”\n]{0,300}+[“”]|«[^«»\n]{0,300}+»|「[^「」\n]{0,300}+」|『[^『』\n]{0,300}+』"
    r"|《[^《》\n]{0,100}+》"
    r"|(?<!\w)'[^'\n]{2,300}'(?!\w)"
)
_COVER: Final = "\x01"
_END: Final = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”)\]]{0,4}+(?=\s|$)|[。！？｡]++[」』”）)]{0,4}+"
    r"|[;；](?=\s|$|[\u3040-\u9fff])"
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|cf|resp|incl|excl|fig|dr|mr|mrs|ms|st|z\.b|d\.h|u\.a|bzw|"
    r"ca|evtl|ggf|usw|p\.ej|ej|sr|sra|p\.ex|ex|env|nr|inkl|vgl|max|min|mind|abs|zzgl|exkl|std)"
    r"|\b[a-zA-Z])\.$",
    re.IGNORECASE,
)
# "zum 31. Dezember", "im 3. Quartal": such a dot ends no German sentence.
_ORDINAL: Final = re.compile(
    r"\b(?:am|vom|zum|zur|bis|der|die|das|dem|den|des|im|ab|seit|jede[mnrs]?|einschließlich)\s"
    r"\d{1,2}\.$",
    re.IGNORECASE,
)

# A clause that begins with one of these depends on what follows, so it isn't cut from it.
_DEPENDENT: Final = re.compile(
    r"(?:(?:and|but|so|also|ok|okay|oh|und|aber|et|mais|y|pero),?\s+)?(?:when|whenever|if|unless|"
    r"before|after|while|once|since|because|until|as soon as|every time|each time|for|in|on|with|"
    r"wenn|falls|sobald|bevor|nachdem|solange|weil|da|immer wenn|für|bei|im|in|"
    r"cuando|si|antes|después|mientras|cada vez|para|en|"
    r"quand|lorsque|si|avant|après|dès|tant que|chaque fois|pour|dans|en)\b",
    re.IGNORECASE,
)
_STARTS: Final = (
    r"(?:we|i|you|it|they|let's|lets|please|pls|always|never|don't|do not|dont|from now on|"
    r"going forward|can you|could you|make sure|remember|keep in mind|use|only use|no more|stop|"
    r"then|also|btw|by the way|everything|all|every|our|my|the|that|this|there|i'd|i'm|we're|"
    r"we'll|we've|i've|it's|that's|keep|put|avoid|run|just|"
    r"wir|ich|du|bitte|immer|nie|niemals|ab jetzt|ab sofort|kannst du|denk|merk|nimm|benutz|"
    r"verwende|alle|alles|jede[rs]?|unsere?|mein|das|die|der|lass uns|mach|übrigens|außerdem|"
    r"nosotros|usamos|yo|por favor|siempre|nunca|no|a partir|de ahora|puedes|recuerda|usa|vamos|"
    r"todos?|todas?|nuestr[oa]s?|los|las|el|la|prefiero|además|"
    r"on|nous|je|tu|vous|s'il|toujours|jamais|ne|n'|désormais|à partir|dorénavant|peux-tu|"
    r"pense|utilise|notre|nos|tous|toutes|le|la|les|je préfère|d'ailleurs|"
    r"don't|doesn't|isn't)"
)
_ORDERS: Final = (
    r"(?:fix|add|change|remove|delete|revert|move|rename|make|put|check|look|run|rerun|do|leave|"
    r"drop|"
    r"take|use|write|update|show|give|tell|keep|skip|go|try|mach|bau|änder|schreib|nimm|lass|schau|"
    r"füg|lösch|pack|zieh|setz|stell|prüf|pass|haz|pon|quita|cambia|borra|mira|revisa|añade|mueve|"
    r"deja|arregla|corrige|ajoute|enlève|change|mets|regarde|vire|vérifie|laisse|supprime)"
)
_SUBJECT: Final = (
    r"(?:the|our|my|their|your|every|all|no|der|die|das|unsere?|el|la|los|las|nuestr[oa]s?|le|les|"
    r"nos|"
    r"notre)\s[\w./`\x01-]{1,100}+(?:\s[\w./`\x01-]{1,100}+)?\s(?:is|are|has|have|was|were|can|can't|must|"
    r"should|will|"
    r"needs?|lives?|goes|go|comes?|runs?|stays?|gets?|does|doesn't|don't|isn't|aren't|ist|sind|hat|"
    r"haben|wird|werden|kann|muss|liegt|kommt|es|son|está|están|tiene|va|van|est|sont|ont|vont)\b"
)
_CUT: Final = re.compile(
    r"(?:,\s++|(?<!\s)\s++)(?:and|but|und|aber|pero|et|mais|also|plus|además)\s++"
    r"(?:(?:also|then)\s++)?"
    rf"(?={_STARTS}\b)"
    rf"|(?<!\s)\s++[–—-]{{1,2}}\s++(?:and\s|but\s|oh\s)?(?={_STARTS}\b)"
    rf"|(?:(?<!\s)\s++)?—\s*+(?={_STARTS}\b)"
    r"|,\s++(?=(?:let's|please|don't|do not|from now on|going forward|we|we're|i|i'm|"
    r"i'd|"
    r"can you|could you|also|remember|make sure|btw|by the way|bitte|ab jetzt|"
    r"ab sofort|wir|ich|kannst du|lass uns|por favor|a partir de ahora|"
    r"de ahora en adelante|usamos|puedes|désormais|à partir de maintenant|"
    r"dorénavant|on|nous|je|peux-tu|s'il te plaît|so|because|that's|it's|there's|they|they're|he|"
    r"she|"
    r"it|but|otherwise|then|since|you|mir|sonst|weil|deshalb|dann|daher|es|man|hier|drum|porque|"
    r"así|"
    r"si no|eso|luego|entonces|parce|sinon|donc|alors|c'est|ça|il|elle|tu|ils)\b)"
    rf"|,\s++(?={_ORDERS}\b)|,\s++(?={_SUBJECT})"
    r"|[，,]\s*(?=[\u3040-\u30ff\u3400-\u9fff\w])(?<=[\u3040-\u30ff\u3400-\u9fff\w][，,])"
    r"(?<![a-zA-Z\s],)"
    r"|、(?=[^、]{6})"
    r"|(?<=[\u3400-\u9fff])\s++(?=[\u3400-\u9fff])",
    re.IGNORECASE,
)
_MIN_WORDS: Final = 3
_MIN_CJK: Final = 4


def clauses(message: str) -> list[Clause]:
    """Return the clauses in the user's own words; those of certain documents are left out."""
    message = message[:MAX_MESSAGE]
    own = own_text(message)
    found: list[Clause] = []
    said: dict[int, list[str]] = {}
    blocks: list[int] = []
    overall = language_of(
        " ".join(
            message[line.start : line.end]
            for line in own.lines[:200]
            if own.blocks[line.block].document < CERTAIN
        )
    )
    heading = ""
    for group in _paragraphs(own.lines):
        block = own.blocks[group[0].block]
        if block.document >= CERTAIN:
            continue
        start, end = group[0].start, group[-1].end
        if not group[0].item:
            heading = _heading(message[start:end])
        after_citation = False
        for sentence_start, sentence_end in _sentences(message, start, end):
            sentence = message[sentence_start:sentence_end]
            said.setdefault(group[0].block, []).append(sentence)
            cited = block.cited or cites(sentence) or (after_citation and not speaks(sentence))
            after_citation = after_citation or may_cite(sentence)
            for at, stop, bare in _pieces(message, sentence_start, sentence_end):
                text = " ".join(message[at:stop].split())
                blocks.append(group[0].block)
                found.append(
                    Clause(
                        number=len(found),
                        text=text,
                        bare=bare,
                        start=at,
                        end=stop,
                        sentence_start=sentence_start,
                        sentence_end=sentence_end,
                        language=language_of(bare, overall),
                        item=group[0].item,
                        heading=heading if group[0].item else "",
                        line=group[0].number,
                        block=block,
                        cited=cited,
                        after_citation=after_citation,
                    )
                )
            after_citation = after_citation or cited
    found = _with_own_voice(found, blocks, said)
    if len(found) > MAX_CLAUSES:
        found = [*found[: MAX_CLAUSES // 2], *found[-MAX_CLAUSES // 2 :]]
    return found


def _with_own_voice(
    found: Sequence[Clause], blocks: Sequence[int], said: Mapping[int, Sequence[str]]
) -> list[Clause]:
    """Mark the paragraphs in which the user speaks; ``blocks`` are those of the clauses."""
    spoken: dict[int, Block] = {}
    for number, clause in zip(blocks, found, strict=True):
        block = clause.block
        if number not in spoken:
            is_spoken = _may_be_spoken(block) and is_in_person(
                said[number], block.longest, titled=block.titled
            )
            spoken[number] = replace(block, in_person=True) if is_spoken else block
    return [
        replace(clause, block=spoken[number]) if spoken[number].in_person else clause
        for number, clause in zip(blocks, found, strict=True)
    ]


def _may_be_spoken(block: Block) -> bool:
    """Whether only its form speaks against it: what is presented or announced was pasted."""
    is_marked = block.presented or block.letter or block.introduced >= 1
    return block.lines > 1 and not is_marked and block.foreign <= _SOME_FOREIGN


def sentences(message: str, found: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the sentences of a message's clauses; one that is too long comes in its clauses."""
    by_place: dict[tuple[int, int], list[Clause]] = {}
    for clause in found:
        by_place.setdefault((clause.sentence_start, clause.sentence_end), []).append(clause)
    whole: list[Clause] = []
    for (start, end), parts in by_place.items():
        hidden = _hidden(message[start:end]).replace("\n", " ")
        pieces = list(_piece(hidden, start, 0, end - start))
        if len(parts) == 1 or not pieces:
            whole += parts
            continue
        [(at, stop, bare)] = pieces
        text = " ".join(message[at:stop].split())
        whole.append(replace(parts[0], text=text, bare=bare, start=at, end=stop))
    return tuple(whole)


def _heading(text: str) -> str:
    """Return a line that announces a list, without its colon; nothing for any other line."""
    heading = text.strip().rstrip(":：").rstrip()
    return heading if heading != text.strip() and len(heading) <= _MAX_HEADING else ""


def _paragraphs(lines: tuple[OwnLine, ...]) -> Iterator[list[OwnLine]]:
    group: list[OwnLine] = []
    for line in lines:
        if group and not line.joins:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _hidden(text: str) -> str:
    """Cover code, links and quotations, keeping the length."""
    return _HIDDEN.sub(lambda match: _COVER * len(match.group()), text)


def _sentences(message: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    hidden = _hidden(message[start:end]).replace("\n", " ")
    at = 0
    for match in _END.finditer(hidden):
        last = (hidden, max(0, match.end() - 24), match.end())
        if _ABBREVIATION.search(*last) or _ORDINAL.search(*last):
            continue
        if match.group().startswith((";", "；")):
            left = hidden[at : min(match.start(), at + MAX_CLAUSE)]
            if not _stands(left) or not _stands(hidden[match.end() : match.end() + MAX_CLAUSE]):
                continue
        yield from _trimmed(hidden, start, at, match.end())
        at = match.end()
    yield from _trimmed(hidden, start, at, len(hidden))


def _trimmed(hidden: str, offset: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and hidden[start].isspace():
        start += 1
    while end > start and hidden[end - 1].isspace():
        end -= 1
    if start < end:
        yield offset + start, offset + end


def _pieces(message: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield the clauses of a sentence with their bare text; those too long are left out."""
    hidden = _hidden(message[start:end]).replace("\n", " ")
    at = 0
    for cut in _CUT.finditer(hidden):
        # A clause is no longer, and copying the rest at each cut would take quadratic time.
        left = hidden[at : min(cut.start(), at + MAX_CLAUSE)]
        right = hidden[cut.end() : cut.end() + MAX_CLAUSE]
        if not _stands(left) or not _stands(right):
            continue
        if _DEPENDENT.match(left.lstrip()):
            continue
        yield from _piece(hidden, start, at, cut.start())
        at = cut.end()
    yield from _piece(hidden, start, at, len(hidden))


def _piece(hidden: str, offset: int, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    for at, stop in _trimmed(hidden, 0, start, end):
        if stop - at <= MAX_CLAUSE:
            bare = " ".join(hidden[at:stop].replace(_COVER, " ").split())
            yield offset + at, offset + stop, bare


def _stands(part: str) -> bool:
    """Whether a part of a sentence is long enough to be a clause."""
    shown = part.replace(_COVER, "x")
    return count_cjk(shown) >= _MIN_CJK or count_words(shown) >= _MIN_WORDS
