"""Settings as the API shows them: for its handlers, and for the command line without a daemon."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from intaglio.base.settings.declaration import SettingGroup, SettingInfo
from intaglio.base.settings.editing import SettingState, SettingsView
from intaglio.wire import settings as wire


def _kind(info: SettingInfo) -> wire.SettingKind:
    match info.default:
        case bool():
            return "switch"
        case str():
            if info.form is not None:
                return info.form.name
            return "choice" if info.choices else "text"
        case _:
            return "number"


def choices_of(info: SettingInfo) -> list[wire.SettingChoice]:
    """Return the values that a setting can have, with their labels."""
    return [wire.SettingChoice(value=one.value, label=one.label) for one in info.choices]


def consequence_of(info: SettingInfo) -> wire.SettingConsequence | None:
    """Return what a change of a setting leads to."""
    found = info.consequence
    if found is None:
        return None
    return wire.SettingConsequence(
        kind=found.kind, text=found.text, values=[*found.values], change=found.change
    )


def setting_row(
    state: SettingState, clean: Callable[[str], str] = str, notice: str = ""
) -> wire.SettingRow:
    """Return a setting with its declaration and its value; a secret's value is left out.

    ``clean`` removes secrets from other texts, such as the password of an address. ``notice`` says
    why the value doesn't work at the moment.
    """
    info, value = state.setting.info, state.value
    low, high = info.bounds or (None, None)
    return wire.SettingRow(
        key=state.setting.key,
        label=info.label,
        help=info.help,
        group=info.group.value,
        kind=_kind(info),
        unit=info.unit,
        default=info.default,
        value="" if info.secret else clean(value) if isinstance(value, str) else value,
        origin="file" if state.is_set and not state.problem else "default",
        is_set=state.is_set,
        given=None if state.given is None else clean(state.given),
        problem=clean(state.problem)
        if not info.secret
        else "can't be used"
        if state.problem
        else "",
        whole=isinstance(info.default, int) and not isinstance(info.default, bool),
        low=low,
        high=high,
        choices=choices_of(info),
        needs_restart=info.needs_restart,
        consequence=consequence_of(info),
        secret=info.secret,
        line=state.line,
        harness=state.setting.harness,
        words=info.words,
        notice=notice,
    )


def settings_reply(
    path: str,
    view: SettingsView,
    facts: Sequence[wire.SettingFact] = (),
    clean: Callable[[str], str] = str,
    notices: Mapping[str, str] = MappingProxyType({}),
) -> wire.SettingsReply:
    """Return all settings with the state of the file; ``clean`` removes secrets from its texts.

    ``notices`` say by key why values don't work at the moment.
    """
    problem = view.problem
    beside = [fact.group for fact in facts]
    return wire.SettingsReply(
        groups=list(dict.fromkeys([*(each.value for each in SettingGroup), *beside])),
        settings=[
            setting_row(each, clean, notices.get(each.setting.key, "")) for each in view.states
        ],
        facts=[*facts],
        unused=[
            wire.UnusedKey(key=clean(one.key), message=clean(one.message), line=one.line)
            for one in view.unused
        ],
        file=wire.SettingsFileState(
            path=path,
            exists=view.exists,
            writable=view.is_writable,
            fingerprint=view.fingerprint,
            problem=None
            if problem is None
            else wire.SettingsFileProblem(
                message=clean(problem.message),
                line=problem.line,
                column=problem.column,
                excerpt=None if problem.excerpt is None else clean(problem.excerpt),
            ),
        ),
    )
