"""Writes a package's list of components (CycloneDX 1.6, JSON) and their licences."""

import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from boot.dist import source_date
from boot.third_party import (
    NOTICES,
    Component,
    dashboard_components,
    library_components,
    model_component,
    notices,
    own_version,
    python_components,
)

BOM = "intaglio.cdx.json"

_NAME = "intaglio"
# Any constant will do: with it, the same contents have the same serial number.
_NAMESPACE = uuid.UUID("6f1c3f0a-6d53-4d0f-9b5e-3c0f7c1d5a40")

Json = dict[str, object]


def _licenses(component: Component) -> list[Json]:
    if not component.license:
        return []
    if component.is_spdx:
        return [{"expression": component.license}]
    return [{"license": {"name": component.license}}]


def _entry(component: Component) -> Json:
    entry: Json = {"type": component.type, "bom-ref": component.ref, "name": component.name}
    if component.version:
        entry["version"] = component.version
    if licenses := _licenses(component):
        entry["licenses"] = licenses
    if component.sha256:
        entry["hashes"] = [{"alg": "SHA-256", "content": component.sha256}]
    if component.ecosystem:
        entry["purl"] = component.ref
    properties = {
        "intaglio:bundled": "true" if component.bundled else "false",
        "intaglio:condition": component.condition,
    }
    entry["properties"] = [
        {"name": name, "value": value} for name, value in properties.items() if value
    ]
    return entry


def _dependencies(components: Sequence[Component], own: str) -> list[Json]:
    refs = {(each.ecosystem, each.name): each.ref for each in components}
    uses = {own: sorted(each.ref for each in components if each.direct)}
    for each in components:
        needed = ((each.ecosystem, name) for name in each.needs)
        uses[each.ref] = sorted(refs[key] for key in needed if key in refs)
    return [{"ref": ref, "dependsOn": uses[ref]} for ref in sorted(uses)]


def bill_of_materials(components: Sequence[Component], version: str, date: int) -> Json:
    """Return the list of components; equal arguments give equal lists."""
    own = f"pkg:pypi/{_NAME}@{version}"
    ordered = sorted(components, key=lambda each: each.ref)
    body: Json = {
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(date, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": _NAME,
                "version": version,
                "purl": own,
                "licenses": [{"expression": "Apache-2.0"}],
            },
        },
        "components": [_entry(each) for each in ordered],
        "dependencies": _dependencies(ordered, own),
    }
    serial = uuid.uuid5(_NAMESPACE, json.dumps(body, sort_keys=True))
    head: Json = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": serial.urn}
    return {**head, **body}


def write_notices(
    folder: Path, packages: Path, *, bundled: bool, libraries: Path | None = None
) -> tuple[Path, Path]:
    """Write a package's list of components and their licences into a folder; returns both files.

    ``packages`` is the folder of Python packages that it contains (``bundled``), or else that an
    installer would fetch; ``libraries`` is where those of its own Python lie, if it has one.
    """
    components = [
        *dashboard_components(),
        model_component(),
        *python_components(packages, bundled=bundled),
        *(library_components(libraries) if libraries else ()),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    bill, licences = folder / BOM, folder / NOTICES
    document = bill_of_materials(components, own_version(), source_date())
    bill.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8", newline="\n")
    licences.write_text(notices(components), encoding="utf-8", newline="\n")
    return bill, licences
