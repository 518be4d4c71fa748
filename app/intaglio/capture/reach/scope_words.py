"""Reads how far a statement reaches: this project, all of the user's projects, or perhaps those.

"Everywhere" mostly means everywhere in this project, and a rule that is told in foreign projects
does more harm than one that has to be widened. So only words that name several projects of the
user reach further.
"""

import re
from typing import Final, Literal, TypeAlias

Reach: TypeAlias = Literal["project", "unclear", "all_projects"]
"""How far a statement reaches; ``unclear`` if it may mean other projects, too."""

_PROJECTS: Final = r"(?:projects?|repos?|repositor(?:y|ies)|code ?bases?)"
_KIND: Final = r"(?:[^\W\d_][\w+#.-]{0,20} ){0,2}"
_NAMES_SEVERAL: Final = re.compile(
    # English
    rf"\b(?:all|every(?: one)?|each(?: one)?|any|whatever)(?: of)? (?:my|our) {_KIND}{_PROJECTS}\b"
    rf"|\bacross (?:my|our) {_KIND}{_PROJECTS}\b"
    rf"|\b(?:all|every|each|any|whatever|whichever) {_KIND}{_PROJECTS}"
    r"(?: of (?:mine|ours)\b|(?: that| which)? (?:i|we)(?:'m| am|'re| are|'ve| have)?"
    r" (?:work(?: on| in| with)?|touch|own|have|maintain|write|start|build|create)\b)"
    rf"|\bnot (?:just|only) (?:in |for )?this {_PROJECTS}\b"
    rf"|\b(?:in |for )?this {_PROJECTS} and (?:in |for )?(?:all|every|any|each)(?: of)?"
    r" (?:the |my |our )?others?\b"
    rf"|\b(?:whatever|whichever|no matter (?:which|what)|regardless of(?: the| which)?|"
    rf"independent(?:ly)? of(?: the| which)?|irrespective of(?: the)?) {_PROJECTS}\b"
    # German
    r"|\b(?:alle[nr]?|jede[mnrs]?|sämtliche[nr]?) (?:meine[nrs]?|unsere[nrs]?) "
    r"(?:[^\W\d_][\w-]{0,20} ){0,2}(?:projekte?n?|repos?|repositor(?:y|ies)|codebases?)\b"
    r"|\bjede[ms] (?:[^\W\d_][\w-]{0,20} ){0,2}(?:projekt|repo(?:sitory)?),? "
    r"(?:von mir|das ich|an dem ich|in dem ich|was ich)\b"
    r"|\bprojektübergreifend\b|\bnicht nur (?:in |für )?diese[ms]? (?:projekt|repo(?:sitory)?)\b"
    r"|\b(?:egal|gleich|unabhängig davon),? (?:in welchem|welches|um welches) (?:projekt|repo)\b"
    # Spanish
    r"|\b(?:tod[oa]s|cada uno de|cualquiera de) (?:mis|nuestr[oa]s) (?:otros |demás )?"
    r"(?:proyectos|repos|repositorios)\b"
    r"|\bno s[oó]lo (?:en |para )?este (?:proyecto|repo|repositorio)\b"
    r"|\b(?:sin importar|da igual|independientemente de)l? (?:el |en qué |qué )?(?:proyecto|repo)\b"
    # French
    r"|\b(?:tous|toutes|chacun de|l'ensemble de) (?:mes|nos) (?:autres )?"
    r"(?:projets|repos|dépôts)\b"
    r"|\bpas (?:seulement|que|uniquement) (?:dans |pour )?ce (?:projet|repo|dépôt)\b"
    r"|\b(?:quel que soit|peu importe) le (?:projet|dépôt|repo)\b"
    # Chinese and Japanese
    r"|(?:我|我们|咱们|自己)的?(?:所有|每个|每一个|任何|全部|其他)的?(?:项目|仓库|工程|代码库)"
    r"|(?:所有|每个|每一个|任何|全部)(?:我|我们|咱们|自己)的(?:项目|仓库|工程|代码库)"
    r"|(?:不管|无论|不论)(?:是)?(?:哪个|什么|哪一个)(?:项目|仓库)"
    r"|不(?:只|仅|仅仅)是?在?(?:这个|本)(?:项目|仓库)"
    r"|(?:私|わたし|自分|僕|俺|うち|我々|私たち)の(?:すべて|全て|全部|全|どの|他)の?"
    r"(?:プロジェクト|リポジトリ)"
    r"|(?:すべて|全て|全部)の(?:私|自分|僕|俺)の(?:プロジェクト|リポジトリ)"
    r"|プロジェクトを問わず|このプロジェクトだけでな",
    re.IGNORECASE,
)
_SAYS_WIDE: Final = re.compile(
    rf"\b(?:everywhere|globally|universally|across the board|"
    rf"(?:in|for|on|across) (?:all|every|any|each)(?: of)?(?: the)? {_PROJECTS}|"
    rf"across (?:the )?(?:projects|repos|repositories))\b"
    r"|\b(?:überall|(?:in|für|bei) (?:allen?|jede[ms]) (?:projekte?n?|repos?))\b"
    r"|\b(?:en todas partes|en (?:todos los|cada|cualquier) (?:proyectos?|repos?))\b"
    r"|\b(?:partout|dans (?:tous les|chaque) (?:projets?|repos?|dépôts?))\b"
    r"|(?:所有|每个|任何|全部)的?(?:项目|仓库|工程|代码库)|到处|全局|处处"
    r"|(?:すべて|全て|全部|全|どの)の?(?:プロジェクト|リポジトリ)|どこでも|至る所",
    re.IGNORECASE,
)
# "everywhere in the API", "all projects of this monorepo": what follows says where.
_BOUNDED_AFTER: Final = re.compile(
    r" ?(?:in|inside|within|of|under|at|from|below|where|that|which|else|im|in der|in den|"
    r"innerhalb|unter|vom|von|der|des|bei|de|del|dentro|du|des|à|au|dans|sur)\b"
    r"|の(?:中|下)|で(?:は)?(?=[^、。]{0,12}(?:内|中))",
    re.IGNORECASE,
)
_BOUNDED_BEFORE: Final = re.compile(
    r"\b(?:in|inside|within|of|across) (?:this|the|our|that) (?:mono-?repo|workspace|solution|"
    r"organi[sz]ation|company|team|folder|directory|api|app|backend|frontend|codebase|repo|"
    r"repository|project|package|module|service|ui|code)\b(?! and\b| but\b)"
    r"|\b(?:in|innerhalb|im) (?:diesem?|dieser|unserem|unserer|der|dem|des)? ?(?:mono-?repo|"
    r"workspace|solution|firma|api|backend|frontend|projekt|repo)\b(?! und\b)"
    r"|\ben (?:este|esta|el|la|nuestr[oa]) (?:monorepo|api|backend|frontend|proyecto|repo)\b"
    r"|\bdans (?:ce|cette|le|la|notre|l') ?(?:monorepo|api|backend|frontend|projet|repo|dépôt)\b"
    r"|(?:这个|本|该|我们的)(?:monorepo|单体仓库|工作区|仓库|解决方案|项目|接口|API)"
    r"|(?:この|当|本)(?:モノレポ|ワークスペース|リポジトリ|ソリューション|プロジェクト|API)",
    re.IGNORECASE,
)


def reach_of(bare: str) -> Reach:
    """Return how far a clause reaches by its words; ``bare`` is without code and quotations."""
    text = bare.replace("’", "'")
    several = _NAMES_SEVERAL.search(text)
    if several is not None:
        return "project" if _is_bounded(text, several) else "all_projects"
    wide = _SAYS_WIDE.search(text)
    if wide is None or _is_bounded(text, wide):
        return "project"
    return "unclear"


def _is_bounded(text: str, found: re.Match[str]) -> bool:
    """Whether the words around say where it holds."""
    if _BOUNDED_AFTER.match(text, found.end()):
        return True
    around = text[: found.start()] + " … " + text[found.end() :]
    return bool(_BOUNDED_BEFORE.search(around))
