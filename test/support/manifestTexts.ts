import { readFileSync } from 'node:fs';

/** Texts by their keys, as in `package.nls.json`. */
export type Texts = Readonly<Record<string, string>>;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Where the manifest has words for people, as paths with `*` for any part; and the key that such a text gets. */
const places: readonly {
  readonly path: string;
  readonly key: (at: readonly Json[], parts: readonly string[]) => string;
}[] = [
  { path: 'capabilities.*.description', key: (_, parts) => `capability.${parts[1]}` },
  { path: 'contributes.commands.*.title', key: ([own]) => `command.${nameIn(own, 'command')}` },
  { path: 'contributes.views.*.*.name', key: ([own]) => `view.${nameIn(own, 'id')}` },
  { path: 'contributes.viewsWelcome.*.contents', key: ([own]) => `welcome.${nameIn(own, 'view')}` },
  { path: 'contributes.submenus.*.label', key: ([own]) => `menu.${nameIn(own, 'id')}` },
  { path: 'contributes.configuration.properties.*.markdownDescription', key: (_, parts) => settingKey(parts) },
  { path: 'contributes.configuration.properties.*.enumDescriptions.*', key: (at, parts) => choiceKey(at, parts) },
  {
    path: 'contributes.configuration.properties.*.enumItemLabels.*',
    key: (at, parts) => `${choiceKey(at, parts)}.label`,
  },
  { path: 'contributes.languageModelTools.*.displayName', key: ([own]) => `tool.${nameIn(own, 'name')}` },
  { path: 'contributes.languageModelTools.*.userDescription', key: ([own]) => `tool.${nameIn(own, 'name')}.about` },
  { path: 'contributes.taskDefinitions.*.properties.*.description', key: (_, parts) => `task.${parts[4]}` },
  { path: 'contributes.walkthroughs.*.title', key: ([own]) => `walkthrough.${nameIn(own, 'id')}` },
  { path: 'contributes.walkthroughs.*.description', key: ([own]) => `walkthrough.${nameIn(own, 'id')}.about` },
  { path: 'contributes.walkthroughs.*.steps.*.title', key: ([own]) => `step.${nameIn(own, 'id')}` },
  { path: 'contributes.walkthroughs.*.steps.*.description', key: ([own]) => `step.${nameIn(own, 'id')}.about` },
  { path: 'contributes.walkthroughs.*.steps.*.media.altText', key: ([, step]) => `step.${nameIn(step, 'id')}.picture` },
];

/** A manifest whose words have moved to the texts; keys that it has already stay as they are. */
export function moveTexts(manifest: Json, known: Texts): { readonly manifest: Json; readonly texts: Texts } {
  const texts = new Map<string, string>();
  const used = new Set(keysOf(manifest));
  for (const key of used) if (known[key] !== undefined) texts.set(key, known[key]);
  const moved = mapTexts(manifest, (text, key) => {
    if (keyIn(text) !== undefined) return text;
    let free = key;
    for (let at = 2; used.has(free); at++) free = `${key}.${at}`;
    used.add(free);
    texts.set(free, text);
    return `%${free}%`;
  });
  const inOrder = keysOf(moved).flatMap((key) => (texts.has(key) ? [[key, texts.get(key) ?? '']] : []));
  return { manifest: moved, texts: Object.fromEntries(inOrder) };
}

/** The keys that a manifest names, in its order, each once. */
export function keysOf(manifest: Json): string[] {
  const keys = new Set<string>();
  const collect = (value: Json): void => {
    if (typeof value === 'string') {
      const key = keyIn(value);
      if (key !== undefined) keys.add(key);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(manifest);
  return [...keys];
}

/** Words of a manifest that are still in it, as `path: text`. */
export function plainTexts(manifest: Json): string[] {
  const found: string[] = [];
  mapTexts(manifest, (text, key) => {
    if (keyIn(text) === undefined) found.push(`${key}: ${text}`);
    return text;
  });
  return found;
}

/** The manifest as the editor has it, with the texts of one language in place of their keys. */
export function withTexts<Manifest>(manifest: Manifest, texts: Texts): Manifest {
  return JSON.parse(JSON.stringify(manifest), (_name, value: unknown) => {
    const key = typeof value === 'string' ? keyIn(value) : undefined;
    return key === undefined ? value : (texts[key] ?? value);
  });
}

/** Our own manifest, with its English texts. */
export function readManifest<Manifest>(): Manifest {
  return withTexts(JSON.parse(readRoot('package.json')), JSON.parse(readRoot('package.nls.json')));
}

function keyIn(text: string): string | undefined {
  return /^%([\w.-]+)%$/.exec(text)?.[1];
}

function readRoot(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

function mapTexts(manifest: Json, map: (text: string, key: string) => string): Json {
  return walk(manifest, [], []);

  /** `above` has the values around this one, the nearest first. */
  function walk(value: Json, parts: readonly string[], above: readonly Json[]): Json {
    if (typeof value === 'string') {
      const path = parts.join('\n');
      const place = places.find((one) => patternOf(one.path).test(path));
      return place === undefined || value === '' ? value : map(value, place.key(above, parts));
    }
    if (Array.isArray(value)) return value.map((one, at) => walk(one, [...parts, String(at)], [value, ...above]));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, one]) => [name, walk(one, [...parts, name], [value, ...above])]);
    return Object.fromEntries(entries);
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.split('.').join('\n').replaceAll('*', '[^\n]+')}$`);
}

function nameIn(value: Json | undefined, field: string): string {
  const name = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[field] : undefined;
  return String(name).replace(/^ravel[._]/, '');
}

function settingKey(parts: readonly string[]): string {
  return `setting.${(parts[3] ?? '').replace('ravel.', '')}`;
}

/** The choice beside the text: both lists of a setting have the same order. */
function choiceKey([, setting]: readonly Json[], parts: readonly string[]): string {
  const choices = typeof setting === 'object' && setting !== null && !Array.isArray(setting) ? setting['enum'] : [];
  const choice = Array.isArray(choices) ? String(choices[Number(parts[5])]) : '';
  return `${settingKey(parts)}.${choice === '' ? 'default' : choice}`;
}
