"""The words of a statement that carry its topic, lightly stemmed, in six languages."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_MIN_STEM: Final = 4
_SUFFIXES: Final = (
    *("ements", "ement", "ments", "ment", "ings", "ungen", "ing", "ung", "ern", "ies"),
    *("ed", "es", "en", "er", "s", "e", "n"),
)
_LATIN: Final = re.compile(r"[a-z0-9@#.~/$*_][a-z0-9_.+#/@*'\u2019:-]*")
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")
_KATAKANA: Final = re.compile(r"[\u30a1-\u30ff]{2,}")
_EDGES: Final = ".,:;'\u2019-*~"

# Words that say nothing about the topic of a statement: function words, words of wishing and
# keeping, negations and words of time.
_COMMON: Final = frozenset(
    """
    a an the and or of to in on at by for with from as is are be been was were it its it's this that
    these those we i you they he she our my your their us me them there here so then than too very
    just only also still now new one ones all any every each some no not never always ever don't
    dont doesn't isn't aren't won't can't cannot shouldn't must should shall can could may might
    will would have has had do does did doing let let's lets we'll we're we've i'll i'd i'm i've
    that's you're use used uses using go goes going gone went keep keeps kept stay stays stick take
    takes make makes made want wants like likes prefer prefers please instead rather over into onto
    out up down if when whenever where while until before after because since but yes ok okay yeah
    hm hmm wait actually sorry nope nah scratch forget scrap never mind everything anything
    something thing things way both either neither same other another more most much many few bit
    get gets put puts set sets work works need needs again back away off about between without per
    via through what which who how why think decided decide decision agreed project repo repository
    from-now-on good better best well ll ve re
    der die das den dem des ein eine einen einem einer eines und oder von zu zum zur im am in auf an
    aus bei beim mit nach für fur um als ist sind war waren wird werden wir ich du ihr sie er es uns
    mir mich dich euch unser unsere unseren unserem mein meine hier da dann doch mal noch nur auch
    schon jetzt so wie was wer wenn weil dass daß aber nicht kein keine keinen keinem nie niemals
    immer bitte lieber statt stattdessen soll sollen sollte muss müssen mussen kann können konnen
    haben hat nehmen nimm nehm bleiben bleibt bleib benutzen benutzt nutzen verwenden verwendet
    machen mach macht lass lassen alles alle jede jeder jedes jeden ja nein nee moment warte halt
    ab bis über uber unter ohne gegen vor durch man sich okay gut gehen geht kommt kommen stehen
    steht liegen liegt
    el la los las un una unos unas y o de del a al en con por para es son está esta este esto estos
    están estan ser se lo le les nos me te mi tu su sus nuestro nuestra que qué como cómo si sí no
    ni nunca siempre jamás jamas sin pero más mas muy ya todo toda todos todas cada otro otra aquí
    aqui ahora mejor usar usamos usa uso vamos va van hay hacer prefiero quiero también tambien solo
    sólo entre sobre desde hasta favor espera olvida
    le la les l d un une des du de et ou à a au aux en dans sur sous pour par avec sans est sont
    être etre on nous vous je tu il elle ils ce cet cette ces ça ca mon ma mes ton notre nos votre
    qui que quoi dont où ou ne n pas plus jamais toujours rien aucun aucune mais si oui non aussi
    tout tous toute toutes chaque autre ici maintenant utilise utiliser utilisons garde garder reste
    rester faut fait faire veux préfère prefere plutôt plutot attends oublie finalement c'est j'ai
    """.split()  # noqa: SIM905 - a list literal of this would be four times as long
)
# A pair with one of these joins two words, or says nothing about the topic.
_COMMON_SIGNS: Final = frozenset(
    "的了是在用把都要就和与也不别没请让给被从到对于及或每各全只再还很太这那我你他它们吧啊呢么"
    "什之其所以统律先后会能应该须必总永一两些个有无使改换"
)


@lru_cache(maxsize=2_048)
def topic_words(text: str) -> frozenset[str]:
    """Return the distinct words of the topic; numbers and names of files count as words.

    Chinese and Japanese are split into pairs of characters, as their words aren't separated.
    """
    folded = fold(text)
    found = {stem(word) for word in _latin_words(folded) if word not in _COMMON}
    for run in _HAN.findall(folded):
        pairs = [run[at : at + 2] for at in range(max(len(run) - 1, 1))]
        found.update(pair for pair in pairs if len(pair) > 1 and _COMMON_SIGNS.isdisjoint(pair))
    found.update(_KATAKANA.findall(folded))
    return frozenset(found)


@lru_cache(maxsize=2_048)
def all_words(text: str) -> tuple[str, ...]:
    """Return every word in order, lower-case and without accents, to compare wordings."""
    folded = fold(text)
    return (*_latin_words(folded), *(sign for sign in folded if "\u3040" <= sign <= "\u9fff"))


def fold(text: str) -> str:
    """Return the text in lower case, without accents."""
    lower = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(sign for sign in lower if not unicodedata.combining(sign) or sign > "\u3000")
    # Composes what isn't an accent: the marks of Japanese syllables.
    return unicodedata.normalize("NFC", plain)


def _latin_words(folded: str) -> list[str]:
    return [word for raw in _LATIN.findall(folded) if (word := raw.strip(_EDGES))]


def stem(word: str) -> str:
    """Return a folded word without the endings of its forms; the same word for those of one."""
    if not word.isalpha():
        return word
    for suffix in _SUFFIXES if word.endswith(_SUFFIXES) else ():
        if word.endswith(suffix) and len(word) - len(suffix) >= _MIN_STEM:
            word = word.removesuffix(suffix)
            break
    if len(word) > _MIN_STEM and word[-1] == word[-2]:
        word = word[:-1]
    return word
