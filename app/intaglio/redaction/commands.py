"""Finds passwords on command lines, in netrc and password files, and in connection settings.

All functions yield spans in order; ``low`` is the text in lower case, character for character.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from intaglio.redaction.entropy import (
    is_name,
    is_placeholder,
    is_reference,
    is_wordy,
    looks_like_password,
)
from intaglio.redaction.spans import MARK_START, Span

_QUOTE = r"[\"']?"
_VALUE = r"(?P<s>[^\s\"'`|;<>&]{4,128}+)"
# Arguments between a program and its flag. Another program, or a word of sentences, ends them.
_OTHER = (
    "and|then|und|dann|or|oder|the|on|to|for|in|is|with|before|after|using|run|mkdir|ssh|scp|"
    "rsync|sudo|git|npm|npx|make|docker|podman|kubectl|python3?|node|curl|wget|nmap|nc"
)
_LINE = rf"(?:[ \t]+(?!(?:{_OTHER})[ \t])[^\s|;&]{{1,120}}+){{0,16}}?"


@dataclass(frozen=True, slots=True)
class _Command:
    """A password that a command line contains.

    The lower-case text contains the ``gate``, which many commands share, and one of ``needles``.
    ``strict`` commands are like sentences: the value needs a digit, and mustn't be a name. A
    ``cased`` one tells ``-p`` from ``-P``. A password after a ``flag`` is no port, path or setting.
    """

    gate: str
    needles: tuple[str, ...]
    regex: re.Pattern[str]
    strict: bool = False
    cased: bool = False
    flag: bool = False


def _flag(programs: str, flag: str, gate: str = " -p", *, cased: bool = False) -> _Command:
    """Return the form ``program … flag value``; ``programs`` are divided by ``|``."""
    names = rf"(?<![\w.-])(?i:{programs})(?![\w.-])"
    return _Command(
        gate,
        tuple(programs.split("|")),
        re.compile(rf"{names}{_LINE}[ \t]+{flag}{_QUOTE}{_VALUE}"),
        cased=cased,
        flag=True,
    )


_COMMANDS: Final = (
    _flag("mysql|mysqldump|mysqladmin|mariadb|mysqlimport|mycli|xtrabackup", "-p", cased=True),
    _flag("sshpass", "-p ?"),
    _flag("redis-cli|valkey-cli|keydb-cli", "-a[ =]?", " -a"),
    _flag(
        "docker login|podman login|helm registry login|skopeo login|buildah login|nerdctl login|"
        "oc login|az login|crane auth login|oras login|ecr login|cf login|mongosh|mongo|mongodump|"
        "cqlsh|pscp|plink|psftp|twine upload|ncftp|influx",
        "-pw?[ =]",
        cased=True,
    ),
    _flag("mosquitto_pub|mosquitto_sub|sqlcmd|bcp|ipmitool|zip|unzip", "-P[ =]?", cased=True),
    _flag("7z|7za|7zr|rar|unrar", "-h?p"),
    _flag("ldapsearch|ldapmodify|ldapadd|ldapwhoami|ldappasswd|ldapdelete", "-w[ =]?", " -w"),
    _flag("smbclient|rpcclient|net ads|winexe", r"-u[ =]?[^\s%\"']{1,64}%", " -u"),
    _flag("net use|net user", r"(?:[^\s/]{1,80} ){1,2}(?=[^\s/]{6,64}+ ?(?:/|\n|\Z))", "net u"),
    _flag("xfreerdp|wfreerdp|mstsc", "/p:", "/p:"),
    _flag("rdesktop", "-p ?"),
    _flag("security add-generic-password|security add-internet-password", "-w ", " -w"),
    _flag("lftp|ncftpget|ncftpput", r"-u[ =]?[^\s,\"']{1,64},", " -u"),
    _flag("openssl", "-(?:passin|passout|pass) pass:", "pass"),
    _flag("openssl enc|openssl aes-256-cbc|openssl des3", "-k ", " -k"),
    _flag(
        "htpasswd",
        # Only with ``b`` is the password an argument.
        r"-(?=\w{0,5}b)\w{1,6} (?:-\w{1,6} )?(?:[^\s-]\S{0,80} ){1,2}(?=\S{6,64}+ ?(?:\n|\Z))",
        "pass",
        cased=True,
    ),
    _flag("wpa_passphrase", r"\S{1,32} ", "pass"),
    _flag("nmcli", "password ", "pass"),
    _flag("vault login|bw login", r"(?:[^\s-]\S{0,40}@\S{1,80} )?(?=[^\s-])", " login"),
    _Command(
        "echo ",
        ("chpasswd", "sudo -s", "--password-stdin", "--stdin", "su -c", "cryptsetup"),
        re.compile(
            rf"\b(?:echo|printf)(?: -n)? {_QUOTE}(?:[\w.-]{{1,32}}:)?{_VALUE}{_QUOTE} ?\| ?"
            r"(?:sudo )?[^\n]{0,80}(?:chpasswd|sudo -s|-stdin|cryptsetup)"
        ),
    ),
    _Command(
        "sqlplus",
        ("sqlplus",),
        re.compile(
            rf"\bsqlplus\b{_LINE} {_QUOTE}[\w$#]{{1,64}}/"
            r"(?P<s>[^\s\"'@/]{4,128}+)(?=@|[\"'\s]|\Z)"
        ),
    ),
    _Command(
        "--p",
        ("--p",),
        re.compile(
            r"--(?:passphrase|proxy-pass(?:word|wd)?|"
            rf"proxy-user[ =]{_QUOTE}[^\s:]{{1,64}}+:)(?:(?<=:)|[ =]){_QUOTE}{_VALUE}"
        ),
        flag=True,
    ),
    _Command(
        "--p",
        ("--p",),
        re.compile(rf"--(?:pass|pin|pw|pwd)[ =]{_QUOTE}{_VALUE}"),
        strict=True,
        flag=True,
    ),
    _Command(
        "securestring",
        ("securestring",),
        re.compile(r"to-securestring\s{1,4}(?:-string )?[\"'](?P<s>[^\"'\n]{6,128}+)[\"']"),
    ),
    _Command(
        "pass",
        ("login ",),
        re.compile(
            r"login[ \t\n]{1,8}[^\s\"']{1,200}+[ \t\n]{1,8}passw(?:or)?d[ \t\n]{1,8}"
            r"(?P<s>[^\s\"']{4,200}+)"
        ),
    ),
    _Command(
        "pass",
        ("storepass", "keypass"),
        re.compile(rf"-(?:src|dest)?(?:store|key)(?:store)?pass[ =]{_QUOTE}{_VALUE}"),
    ),
    _Command(
        "access",
        ("secret_access_key", "secretaccesskey", "secret access key"),
        re.compile(
            r"secret[ _]?access[ _]?key[\"']?\s{0,4}(?:[=:]|is)?\s{0,4}[\"']?"
            r"(?P<s>[a-z0-9/+]{40})(?![a-z0-9/+])"
        ),
    ),
    _Command(
        "pass",
        ("requirepass", "masterauth"),
        re.compile(rf"(?:requirepass|masterauth)[ \t]{{1,8}}{_QUOTE}{_VALUE}"),
    ),
    _Command(
        "pass",
        ("password ", "passwort ", "passwd "),
        re.compile(
            r"pass(?:word|wort|wd) (?:for|on|of|to|at|in|von|für|auf|zu)(?: [^\s:=]{1,40}){1,4}?"
            rf" ?(?: is| ist| lautet| was|:|=):? {_QUOTE}(?P<s>[^\s\"'`]{{6,128}}+)"
        ),
        strict=True,
    ),
    _Command(
        "pw",
        ("pw:", "pw=", "pw ="),
        re.compile(r"\bpw ?[:=] ?[\"']?(?P<s>[^\s\"'`;,]{6,128}+)"),
        strict=True,
    ),
    _Command(
        ":",
        ("zugangsdaten", "anmeldedaten", "credentials", "login:"),
        re.compile(
            r"(?:zugangsdaten|anmeldedaten|credentials|login): ?[\w.@+-]{1,64}+(?: / ?|:)"
            r"(?P<s>[^\s\"'`/;,]{6,128}+)"
        ),
        strict=True,
    ),
    _Command(
        "</key>",
        ("</key>",),
        re.compile(
            r"<key>[^<]{0,40}(?:pass|secret|token|apikey|api_key)[^<]{0,40}</key>\s{0,40}"
            r"<string>(?P<s>[^<\s]{6,512}+)</string>"
        ),
        strict=True,
    ),
)
_FLAG: Final = re.compile(" -[a-z]")
_GATES: Final = frozenset(command.gate for command in _COMMANDS)
_FLAG_GATES: Final = frozenset(gate for gate in _GATES if _FLAG.fullmatch(gate))
# A port, an address with one, ``name=value``, ``name@version``, e-mail, and names of files.
_ARGUMENT: Final = re.compile(
    r"[0-9]{1,5}|[0-9]{2,5}:[A-Za-z0-9]+|[\w.-]*:[0-9]{2,5}(?::[0-9]+)?|[a-z_]{2,20}=.*|"
    r"@?[A-Za-z][\w./-]*@v?[0-9]+(?:\.[0-9]+)*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|"
    r"[A-Za-z]+[0-9]*(?:[_-][A-Za-z0-9]+)*(?:\.[A-Za-z]{1,4}[0-9]?)+"
)
_FILE: Final = re.compile(
    r"\.(?:py|pyi|[cm]?[jt]sx?|go|rs|java|kt|c|cc|cpp|h|hpp|cs|rb|php|swift|scala|sh|sql|md|txt|"
    r"ya?ml|json|toml|html|css|vue|svelte|lua|ex|exs)\Z",
    re.IGNORECASE,
)
_PGPASS: Final = re.compile(
    r":(?<=[\w.*-]:)(?:[0-9]{4,5}|\*):[\w*-]{1,64}+:[\w.@*-]{1,64}+:"
    r"(?P<s>(?:[^\s:\\\"'`]|\\.){6,200}+)(?=[\s\"'`]|\Z)"
)
# The host starts the line, or what is quoted. A longer address (IPv6) goes on before it.
_HOST: Final = re.compile(r"(?:\A|(?<=[\n\"'`])|(?<=\n ))(?P<host>[\w.*-]+)\Z")
_HOST_REACH: Final = 128
_KINDS: Final = "password"


def command_passwords(text: str, low: str) -> Iterator[Span]:
    """Find passwords on command lines and in netrc: ``mysql -pX``, ``machine … password X``."""
    spans: list[Span] = []
    gates = _open_gates(low)
    for command in _COMMANDS:
        if command.gate in gates and any(needle in low for needle in command.needles):
            for match in command.regex.finditer(text if command.cased else low):
                start, end = match.span("s")
                value = text[start:end]
                if _is_password(value, strict=command.strict) and not (
                    command.flag and _is_argument(value)
                ):
                    spans.append(Span(start, end, _KINDS))
    yield from _without_overlaps(spans)


def _open_gates(low: str) -> set[str]:
    # One pass finds all flags.
    flags = set(_FLAG.findall(low))
    return {gate for gate in _GATES if (gate in flags if gate in _FLAG_GATES else gate in low)}


def password_files(text: str, low: str) -> Iterator[Span]:
    """Find the password in lines of a .pgpass file: ``host:port:database:user:password``."""
    if ":" not in low or low.count(":") < 4:  # noqa: PLR2004 - the colons of one line
        return
    for match in _PGPASS.finditer(text):
        value = match["s"]
        begin = max(0, match.start() - _HOST_REACH)
        host = _HOST.search(text[begin : match.start()])
        if (
            host
            and (host.start() or not begin)
            and not _FILE.search(host["host"])
            and "&" not in value
            and _is_password(value)
            and not value.isdigit()
        ):
            yield Span(match.start("s"), match.end("s"), _KINDS)


def _is_password(value: str, *, strict: bool = False) -> bool:
    if strict and (is_name(value) or not any(char.isdigit() for char in value)):
        return False
    return (
        MARK_START not in value
        and value[0] not in "<{-("
        and not is_placeholder(value)
        and not is_reference(value)
        and (looks_like_password(value) or not _is_plain_word(value))
    )


def _is_argument(value: str) -> bool:
    if _ARGUMENT.fullmatch(value):
        return True
    parts = value.replace("\\", "/").split("/")
    return len(parts) > 1 and all(is_name(part) or is_wordy(part) for part in parts)


def _is_plain_word(value: str) -> bool:
    return value.isalpha() and (value.islower() or value.isupper() or value.istitle())


def _without_overlaps(spans: list[Span]) -> Iterator[Span]:
    done = 0
    for span in sorted(spans, key=lambda each: each.start):
        if span.start >= done:
            yield span
            done = span.end
