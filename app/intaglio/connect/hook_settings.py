"""Adds hooks to the text of JSON settings and removes them; accesses no files."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, cast

from intaglio.connect.json_edit import (
    FIX_BY_HAND,
    EditedText,
    Insertion,
    Style,
    add_item,
    add_member,
    cut,
    render,
    root_object,
    style_of,
    without_fragments,
)
from intaglio.connect.json_scanner import JsonMember, JsonValue, MalformedJson, scan
from intaglio.connect.values import ConnectionRefused

Handler: TypeAlias = dict[str, object]
_VERSION: Final = "version"
COMMANDS: Final = ("command", "bash", "powershell")
"""The keys under which the handlers of any harness have their command lines."""

IsOurs: TypeAlias = Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class HooksForm:
    """How settings list an event's handlers: in groups, as in ``[{"hooks": [{…}]}]``, or plainly.

    ``version`` is the number that the settings must name, None if they name none.
    """

    grouped: bool = True
    version: int | None = None


GROUPED: Final = HooksForm()


@dataclass(frozen=True, slots=True)
class WantedHook:
    """The handler of an event; ``matcher`` says for which tools it is run, empty for all."""

    handler: Handler
    matcher: str = ""

    def item(self, form: HooksForm) -> dict[str, Any]:
        """Return the handler as an event lists it."""
        only = {"matcher": self.matcher} if self.matcher else {}
        return {**only, "hooks": [self.handler]} if form.grouped else {**self.handler, **only}


def _plain(text: str, value: JsonValue) -> Any:  # noqa: ANN401 - JSON of any shape
    return json.loads(text[value.start : value.end])


def check(text: str, form: HooksForm = GROUPED) -> JsonValue | ConnectionRefused | None:
    """Return the settings' root object, None for an empty file, or the refusal to edit it."""
    root = root_object(text)
    return (_check_hooks(text, root, form) or root) if isinstance(root, JsonValue) else root


def _check_hooks(text: str, root: JsonValue, form: HooksForm) -> ConnectionRefused | None:
    found = root.members_named("hooks")
    if len(found) > 1:
        return ConnectionRefused(
            'The settings contain the key "hooks" more than once.', FIX_BY_HAND
        )
    if not found:
        return None
    hooks = found[0].value
    if hooks.kind != "object":
        return ConnectionRefused('In the settings, "hooks" isn\'t an object.', FIX_BY_HAND)
    for key in hooks.repeated():
        return ConnectionRefused(
            f'In the settings, "hooks" contains {json.dumps(key)} twice.', FIX_BY_HAND
        )
    for member in hooks.members:
        if not _is_event(_plain(text, member.value), form):
            name = json.dumps(member.key)
            return ConnectionRefused(
                f"In the settings, the hooks of {name} have an unknown format.", FIX_BY_HAND
            )
    return None


def _is_event(items: object, form: HooksForm) -> bool:
    return isinstance(items, list) and all(
        isinstance(item, dict)
        and (not form.grouped or isinstance(cast("Handler", item).get("hooks"), list))
        for item in cast("list[object]", items)
    )


def _hooks_of(text: str) -> JsonValue | None:
    root = scan(text) if text.strip() else None
    if not isinstance(root, JsonValue):
        return None
    found = root.members_named("hooks")
    return found[0].value if found else None


def _handlers(text: str) -> Iterator[tuple[JsonMember, int, JsonValue, int, object]]:
    """Yield each handler with its event, its place in that, its list and its place in this.

    The list is that of the event if the handlers aren't in groups.
    """
    hooks = _hooks_of(text)
    for event in hooks.members if hooks else ():
        for at, item in enumerate(event.value.items):
            groups = item.members_named("hooks")
            for member in groups:
                for index, handler in enumerate(member.value.items):
                    yield event, at, member.value, index, _plain(text, handler)
            if not groups:
                yield event, at, event.value, at, _plain(text, item)


def find_ours(text: str, is_ours: IsOurs) -> list[tuple[str, Handler]]:
    """List our handlers with their events."""
    return [
        (event.key, cast("Handler", handler))
        for event, _, _, _, handler in _handlers(text)
        if is_ours(handler)
    ]


def same_handler(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether two handlers are equivalent; a timeout changed by the user is ignored."""
    return all(one.get(key) == other.get(key) for key in ("type", *COMMANDS, "args", "url"))


def is_wired(text: str, wanted: Mapping[str, WantedHook], is_ours: IsOurs) -> bool:
    """Whether each event has exactly our handler; a matcher changed by the user is ignored."""
    found = find_ours(text, is_ours)
    return sorted(event for event, _ in found) == sorted(wanted) and all(
        same_handler(handler, wanted[event].handler) for event, handler in found
    )


def add_ours(text: str, wanted: Mapping[str, WantedHook], form: HooksForm = GROUPED) -> EditedText:
    """Add our handlers to settings that have none and that `check` accepts."""
    events = {event: [hook.item(form)] for event, hook in wanted.items()}
    containers = ("hooks", *(f"hooks/{event}" for event in events))
    version = {} if form.version is None else {_VERSION: form.version}
    root = scan(text) if text.strip() else None
    if not isinstance(root, JsonValue):
        fragment = render({**version, "hooks": events}, Style()) + "\n"
        return EditedText(text + fragment, (fragment,), (*version, *containers))
    style = style_of(text, root)
    added = EditedText(text)
    if version and not root.members_named(_VERSION):
        added = _with_member(added, root, _VERSION, form.version, style)
        root = cast("JsonValue", scan(added.text))
    if not root.members_named("hooks"):
        added = _with_member(added, root, "hooks", events, style)
        return replace(added, containers=(*added.containers, *containers[1:]))
    for event, value in events.items():
        added = _with_event(added, event, value, style)
    return added


def _with_member(
    added: EditedText, root: JsonValue, key: str, value: object, style: Style
) -> EditedText:
    insertion = add_member(added.text, root, key, value, style)
    return EditedText(
        insertion.into(added.text),
        (*added.fragments, insertion.fragment),
        (*added.containers, key),
    )


def _with_event(
    added: EditedText, event: str, items: list[dict[str, Any]], style: Style
) -> EditedText:
    hooks = cast("JsonValue", _hooks_of(added.text))
    found = hooks.members_named(event)
    insertion: Insertion
    if found:
        insertion = add_item(added.text, found[0].value, items[0], style)
        made: tuple[str, ...] = ()
    else:
        insertion = add_member(added.text, hooks, event, items, style)
        made = (f"hooks/{event}",)
    return EditedText(
        insertion.into(added.text),
        (*added.fragments, insertion.fragment),
        (*added.containers, *made),
    )


def remove_ours(text: str, is_ours: IsOurs, made: Collection[str] | None) -> str:
    """Remove our handlers and the containers in ``made`` (None: any) that become empty."""
    touched: set[str] = set()
    while True:
        found = next((h for h in _handlers(text) if is_ours(h[4])), None)
        if found is None:
            break
        event, at, handlers, index, _ = found
        touched.add(event.key)
        alone = len(handlers.items) == 1
        text = cut(text, event.value, at) if alone else cut(text, handlers, index)
    return _without_empty(text, touched, made)


def _without_empty(text: str, touched: set[str], made: Collection[str] | None) -> str:
    for event in touched:
        hooks = cast("JsonValue", _hooks_of(text))
        index = [member.key for member in hooks.members].index(event)
        if not hooks.members[index].value.items and (made is None or f"hooks/{event}" in made):
            text = cut(text, hooks, index)
    left = _hooks_of(text)
    if not touched or left is None or left.members or (made is not None and "hooks" not in made):
        return text
    return _without_member(text, "hooks")


def _without_member(text: str, key: str) -> str:
    root = scan(text)
    if isinstance(root, MalformedJson) or not root.members_named(key):
        return text
    return cut(text, root, [member.key for member in root.members].index(key))


def undo(
    text: str, is_ours: IsOurs, fragments: tuple[str, ...], made: Collection[str] | None
) -> str:
    """Remove our hooks, byte for byte if the inserted text is unchanged.

    If the user or the harness has rewritten it, only our handlers are removed.
    """
    plain = remove_ours(text, is_ours, made)
    if made is not None and _VERSION in made:
        bare = _without_member(plain, _VERSION)
        rest = without_fragments(text, bare, fragments)
        # In a file that was rewritten, hooks that others have added since need the version.
        if rest is not bare or not any(_handlers(bare)):
            return rest
    return without_fragments(text, plain, fragments)
