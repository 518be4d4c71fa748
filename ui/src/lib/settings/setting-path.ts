/** The addresses of settings on the Settings page. */

/** The first part of the keys in `agent.yaml`. */
const SECTION =
  /^(?:auth|backup|capture|code|commits|daemon|desktop|embedding|harness|hooks|memory|models|retention|search|updates)(?:\.[A-Za-z][A-Za-z0-9_]*|\.<name>)+$/u;
const FILE = /\.(?:db|json|jsonl|log|md|py|toml|txt|ya?ml)$/u;

/** The path of a setting on the Settings page, or of a group of them by its name. */
export function settingPath(key: string): string {
  return `/settings/${encodeURIComponent(key)}`;
}

/** The name of an agent as keys have it: `claudeCode`. */
export function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

/** The key of a setting that each agent has its own value of. */
export function harnessKey(agent: string, name: string): string {
  return `harness.${camelCase(agent)}.${name}`;
}

/** Whether a text, such as a code span, is the key of a setting. */
export function isSettingKey(text: string): boolean {
  return SECTION.test(text) && !FILE.test(text);
}
