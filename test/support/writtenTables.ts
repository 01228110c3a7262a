import { readFileSync } from 'node:fs';
import { createProgram } from '../../src/cli/program.ts';
import { gateRefusals } from '../../src/gates/gate.ts';
import { eventRowOf, eventTypes } from '../../src/model/event.ts';
import { describeHarness, harnessNames } from '../../src/model/harnesses.ts';
import { requestSchemas } from '../../src/model/protocol.ts';
import { settingAt, settingPaths, settingRows } from '../../src/model/settingRows.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { exampleOf, personVerbNames, verbNames, verbs } from '../../src/model/verbs.ts';
import { createFakePorts } from '../cli/fakePorts.ts';
import { moveTexts } from './manifestTexts.ts';
import { readShownTexts, shownSources } from './shownTexts.ts';

/** What of a file is written from the tables of the sources, and never by hand. */
export interface WrittenTable {
  /** Its path in the repository. */
  readonly path: string;
  readonly name: string;
  /** The text of the file with the table as the sources have it. */
  readonly write: (text: string) => string;
}

/** Everything that `npm run tables` writes. */
export async function writtenTables(): Promise<readonly WrittenTable[]> {
  return [
    markedTable('docs/protocol.md', 'requests', requestTable()),
    markedTable('docs/protocol.md', 'events', eventTable()),
    markedTable('docs/settings.md', 'settings', settingTable()),
    markedTable('docs/gates.md', 'gates', gateTable()),
    markedTable('docs/harnesses.md', 'harnesses', harnessTable()),
    markedTable('docs/cli.md', 'commands', await commandTable()),
    markedTable('docs/cli.md', 'verbs', verbTable()),
    markedTable('src/model/readingVerbs.ts', 'reading verbs', readingVerbLines()),
    markedTable('src/ui/commandNames.ts', 'commands of the editor', commandNameLines()),
    { path: 'l10n/bundle.l10n.json', name: 'texts of the window and its pages', write: windowTexts },
    { path: 'package.nls.json', name: 'texts of the manifest', write: manifestTexts },
    { path: 'package.json', name: 'the harnesses of the editor, and keys in place of texts', write: withHarnesses },
  ];
}

/** A table between a line with `table: <name>, written by` and one with `end of table`. */
export function markedTable(path: string, name: string, lines: readonly string[]): WrittenTable {
  const inside = path.endsWith('.md') ? ['', ...lines, ''] : lines;
  const write = (text: string) => {
    const rows = text.split('\n');
    const first = rows.findIndex((row) => row.includes(`table: ${name}, written by`));
    const last = rows.findIndex((row, at) => at > first && row.includes('end of table'));
    if (first < 0 || last < 0) throw new Error(`${path} has no place for the table "${name}"`);
    return [...rows.slice(0, first + 1), ...inside, ...rows.slice(last)].join('\n');
  };
  return { path, name, write };
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)];
}

function requestTable(): string[] {
  const rows = Object.entries(requestSchemas).map(([name, schema]) => [`\`${name}\``, schema.description ?? '']);
  return markdownTable(['request', 'what it does'], rows);
}

function eventTable(): string[] {
  return markdownTable(
    ['type', 'meaning'],
    eventTypes.map((type) => [`\`${type}\``, eventRowOf(type).describes]),
  );
}

function settingTable(): string[] {
  const edits = { newOwner: 'new owner', guarded: 'guarded' } as const;
  const rows = settingPaths.map((path) => {
    const { meaning, inPlan, flag, edit } = settingRows[path];
    const value = settingAt(defaultSettings, path);
    const shown = value === undefined ? 'not set' : `\`${JSON.stringify(value)}\``;
    const elsewhere = [inPlan, flag].filter((word) => word !== undefined).map((word) => `\`${word}\``);
    return [`\`${path}\``, shown, meaning, elsewhere.join(', '), edit === undefined ? '' : edits[edit]];
  });
  return markdownTable(['setting', 'default', 'what it means', 'also set by', 'an edit'], rows);
}

function gateTable(): string[] {
  return markdownTable(
    ['gate', 'refuses'],
    Object.entries(gateRefusals).map(([name, refuses]) => [`\`${name}\``, refuses]),
  );
}

function harnessTable(): string[] {
  return markdownTable(
    ['name', 'what it is'],
    harnessNames.map((name) => [`\`${name}\``, describeHarness(name).about]),
  );
}

/** The manifest with the choices of the editor's setting; the first leaves it to the vault. */
function manifestWithHarnesses(text: string) {
  const manifest = JSON.parse(text);
  const setting = manifest.contributes.configuration.properties['ravel.harness'];
  const rows = harnessNames.map((name) => ({ name, ...describeHarness(name) }));
  setting.enum = [setting.enum[0], ...rows.map(({ name }) => name)];
  setting.enumItemLabels = [setting.enumItemLabels[0], ...rows.map(({ name }) => `%setting.harness.${name}.label%`)];
  setting.enumDescriptions = [setting.enumDescriptions[0], ...rows.map(({ name }) => `%setting.harness.${name}%`)];
  return manifest;
}

function withHarnesses(text: string): string {
  return `${JSON.stringify(moveTexts(manifestWithHarnesses(text), {}).manifest, undefined, 2)}\n`;
}

/** What the editor looks for in the bundle of its language. */
function windowTexts(): string {
  const texts = shownSources().flatMap(({ path, text }) => readShownTexts(path, text).translated);
  const keys = [...new Set(texts.map(({ text }) => text))].sort();
  return `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, key])), undefined, 2)}\n`;
}

/** The English texts that the manifest names by their keys, and those that it still has itself. */
function manifestTexts(text: string): string {
  const manifest = manifestWithHarnesses(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const sentence = (about: string) => `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
  const ofHarnesses = harnessNames.flatMap((name) => {
    const { title, about } = describeHarness(name);
    return [[`setting.harness.${name}.label`, title] as const, [`setting.harness.${name}`, sentence(about)] as const];
  });
  const known = { ...JSON.parse(text), ...Object.fromEntries(ofHarnesses) };
  return `${JSON.stringify(moveTexts(manifest, known).texts, undefined, 2)}\n`;
}

async function commandTable(): Promise<string[]> {
  const { command } = createProgram(await createFakePorts({}));
  const shown = command.createHelp().visibleCommands(command);
  const rows = shown
    .filter((one) => one.name() !== 'help')
    .map((one) => [`\`ravel ${one.name()}\``, one.description()]);
  return markdownTable(['command', 'what it does'], rows);
}

function verbTable(): string[] {
  const rows = personVerbNames.map((name) => {
    const words = exampleOf(name)?.words.replaceAll('|', '\\|') ?? '';
    return [`\`ravel state ${name.replace('/', ' ')} ${words}\``, verbs[name].summary];
  });
  return markdownTable(['example', 'what the verb does'], rows);
}

function readingVerbLines(): string[] {
  return verbNames.filter((name) => 'reads' in verbs[name]).map((name) => `  '${name}',`);
}

function commandNameLines(): string[] {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const commands: readonly { readonly command: string }[] = manifest.contributes.commands;
  const end = (at: number) => (at === commands.length - 1 ? ';' : '');
  return commands.map(({ command }, at) => `  | '${command.replace('ravel.', '')}'${end(at)}`);
}
