/**
 * Writes the API's types from its OpenAPI description: `node build/api-types.ts DESCRIPTION OUTPUT`.
 *
 * All errors have one type, `Problem`, so only the success responses of each operation are written.
 */

import { readFile, writeFile } from "node:fs/promises";
import { argv } from "node:process";

import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";

/** Spellings of "none" in the generated types. */
const ABSENT = /^ *(?:query|header|path|cookie|requestBody|get|put|post|delete|options|head|patch|trace)\?: never;\n/gm;
const EMPTY = /^ *parameters: \{\n *\};\n/gm;
const ANY_HEADERS = /^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm;

interface Described {
  title?: unknown;
  summary?: unknown;
  description?: unknown;
}

interface Operation extends Described {
  responses?: Record<string, Described>;
}

/** The description with success responses only, and without titles that repeat a name. */
export function succeeding(description: OpenAPI3): OpenAPI3 {
  const copy = structuredClone(description);
  for (const path of Object.values(copy.paths ?? {})) {
    for (const operation of Object.values(path as Record<string, Operation>)) {
      const all = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith("2"));
      for (const [, response] of all) delete response.description;
      operation.responses = Object.fromEntries(all);
      delete operation.summary;
    }
  }
  // Only error responses are shared between operations.
  delete copy.components?.responses;
  for (const schema of Object.values(copy.components?.schemas ?? {})) delete (schema as Described).title;
  return copy;
}

/** The types of a description, as TypeScript. */
export async function typesOf(description: OpenAPI3): Promise<string> {
  // Fields with a default are optional in requests.
  const written = astToString(await openapiTS(succeeding(description), { defaultNonNullable: false }));
  const short = written.replace(ABSENT, "").replace(ANY_HEADERS, "").replace(EMPTY, "");
  return `/** Generated from the API's description by \`python3 app ui\`; do not edit it. */\n\n${short}`;
}

const [, , description, output] = argv;
if (description !== undefined && output !== undefined) {
  const described = JSON.parse(await readFile(description, "utf8")) as OpenAPI3;
  await writeFile(output, await typesOf(described));
}
