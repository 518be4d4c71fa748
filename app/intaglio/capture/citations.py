"""Tells which sentences cite a document or a message: "From the guidelines: …"."""

import re
from typing import Final

_SOURCE: Final = re.compile(
    r"\b(?:docs?|documentation|read-?me|(?:style ?)?guides?|guidelines?|handbook|manual|wiki|"
    r"polic(?:y|ies)|spec(?:ification)?s?|standards?|rfc|tickets?|issues?|e-?mails?|memo|"
    r"newsletter|circular|announcement|notice|release notes|changelog|contract|terms|regulations?|"
    r"directive|reports?|paper|articles?|blog(?: ?post)?|books?|reviewers?|reviews?|comments?|"
    r"slack|discord|forum|thread|page|website|posters?|requirements|job ad|template|checklist|"
    r"minutes|letter|leaflet|brochure|label|datasheet|syllabus|instructions|rules|note|faq|bylaws|"
    r"charter|bulletin|press release|code of conduct|checklist|sheet|"
    r"doku|dokumentation|\w*handbuch|\w*leitfaden|richtlinien?|rundschreiben|rundmail|verordnung|satzung|"
    r"[a-zäöüß]{3,}ordnung|[a-zäöüß]*vertrag|[a-zäöüß]*protokoll|anleitung|merkblatt|aushang|"
    r"hinweise?|gutachten|(?:pflichten|lasten)heft|artikel|norm|vorschrift|bescheid|schreiben|brief|"
    r"documentación|guía|normas|normativa|política|instrucciones|bases|reglamento|correo|aviso|"
    r"pliego|contrato|artículo|boletín|"
    r"fiche|consignes|politique|charte|règlement|circulaire|courriel|note de service|"
    r"cahier des charges|contrat|notice|affiche)\b"
    r"|文档|手册|规范|须知|公告|通知|邮件|发文|条例|规定|说明书?|凡例|评审|合同|周报|指南|标准|公众号|"
    r"文章|文件|供参考|供參考|手冊|規範|須知|郵件|條例|規定|說明|標準|"
    r"ドキュメント|マニュアル|規約|規程|仕様書|メール|通達|お知らせ|手順書|契約書|記事|議事録|チケット|ガイドライン",
    re.IGNORECASE,
)
_LEADS_IN: Final = re.compile(
    r"\b(?:from|per|quoting|quote|excerpt|according to|aus|laut|gemäß|auszug|zitat|zur kenntnis|"
    r"del?|según|extracto|extrait|selon|d'après|dans|"
    r"says?|said|states?|reads?|wrote|sagt|steht|schreibt|heißt es|lautet|dice|dit|indique|"
    r"stipule)\b|§|"
    r"来自|摘自|根据|按照|引自|摘录|來自|根據|供参考|供參考|写着|写的|写道|里说|说的|寫著|"
    r"より|から|抜粋|によ[るれ]|では|に書いて",
    re.IGNORECASE,
)
_OWN: Final = re.compile(
    r"\b(?:my|our|own|mein\w*|unser\w*|mi|mis|nuestr\w+|mon|ma|mes|notre|nos)\b|我们?的?|咱们|本项目|"
    r"うちの|自分の",
    re.IGNORECASE,
)
_COLON: Final = re.compile(r"[:：](?=\s*\S)(?!//)")
_MAX_HEAD: Final = 120
# "Editorial note: From now on …": a title, rather than a word of the user's own like "note: …".
_TITLE: Final = re.compile(r"[A-Z\u00c0-\u00de【\u3040-\u9fff][^,;.!?，。]*+")
_TITLE_WORDS: Final = re.compile(r"\s[^,;.!?，。\s]|[\u3040-\u9fff]{3}")
_TITLED: Final = re.compile(r"[:：]\s*+[\"“„«「]?[A-Z\u00c0-\u00de\u3040-\u9fff]")
_MAX_TITLE: Final = 1_000
_SPEAKS: Final = re.compile(
    r"(?:\b(?:i|i'm|i'd|we|we're|you|your|my|our|us|me|please|let's|"
    r"ich|wir|du|dir|mir|uns|bitte|unser\w*|mein\w*|dein\w*|"
    r"yo|tú|te|nosotros|nuestr\w+|por favor|je|j'ai|tu|nous|notre|nos|on)\b|"
    r"我|你|咱|请|請|吧|呢|私|僕|うち|ください|お願い)",
    re.IGNORECASE,
)


def names_source(title: str) -> bool:
    """Whether a title names a document: "Contributing guidelines"."""
    return bool(_SOURCE.search(title)) and not _OWN.search(title)


def cites(sentence: str) -> bool:
    """Whether a sentence names somebody else's document or message, and then quotes it."""
    if sentence.startswith("§"):
        return True
    head = _source(sentence)
    return bool(_LEADS_IN.search(head))


def may_cite(sentence: str) -> bool:
    """Whether a sentence begins like a document's title: "Editorial note: From now on …"."""
    title = _TITLE.match(sentence[:_MAX_TITLE]) if _source(sentence) else None
    words = _TITLE_WORDS.search(title.group(), 1) if title else None
    return bool(title and words and _TITLED.search(title.group(), words.end()))


def speaks(sentence: str) -> bool:
    """Whether a sentence behind a citation may be the user's own again."""
    return sentence[:1].islower() or bool(_SPEAKS.search(sentence[:400]))


def _source(sentence: str) -> str:
    """Return what stands before a colon if it names a source of others; else nothing."""
    colon = _COLON.search(sentence, 0, _MAX_HEAD)
    head = sentence[: colon.start()] if colon else ""
    return head if _SOURCE.search(head) and not _OWN.search(head) else ""
