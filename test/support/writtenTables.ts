import { createProgram } from '../../src/cli/program.ts';
import { gateRefusals } from '../../src/gates/gate.ts';
import { eventRowOf, eventTypes } from '../../src/model/event.ts';
import { requestSchemas } from '../../src/model/protocol.ts';
import { settingAt, settingPaths, settingRows } from '../../src/model/settingRows.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { exampleOf, personVerbNames, verbNames, verbs } from '../../src/model/verbs.ts';
import { createFakePorts } from '../cli/fakePorts.ts';

/** What of a file is written from the tables of the sources, and never by hand. */
export interface WrittenTable {
  /** Its path in the repository. */
  readonly path: string;
  /** What stands in its first line: `table: <name>`. */
  readonly name: string;
  readonly lines: readonly string[];
}

/** Everything that `npm run tables` writes. */
export async function writtenTables(): Promise<readonly WrittenTable[]> {
  return [
    { path: 'docs/protocol.md', name: 'requests', lines: requestTable() },
    { path: 'docs/protocol.md', name: 'events', lines: eventTable() },
    { path: 'docs/settings.md', name: 'settings', lines: settingTable() },
    { path: 'docs/gates.md', name: 'gates', lines: gateTable() },
    { path: 'docs/cli.md', name: 'commands', lines: await commandTable() },
    { path: 'docs/cli.md', name: 'verbs', lines: verbTable() },
    { path: 'src/model/readingVerbs.ts', name: 'reading verbs', lines: readingVerbLines() },
  ];
}

/** The text with a table in its place; throws if it has no place for it. */
export function withTable(text: string, { path, name, lines }: WrittenTable): string {
  const rows = text.split('\n');
  const first = rows.findIndex((row) => row.includes(`table: ${name}, written by`));
  const last = rows.findIndex((row, at) => at > first && row.includes('end of table'));
  if (first < 0 || last < 0) throw new Error(`${path} has no place for the table "${name}"`);
  const inside = path.endsWith('.md') ? ['', ...lines, ''] : lines;
  return [...rows.slice(0, first + 1), ...inside, ...rows.slice(last)].join('\n');
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
