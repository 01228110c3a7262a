import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fenced, inlined, visible } from '../../src/base/fence.ts';
import { oneLine } from '../../src/base/text.ts';
import { factsOf } from '../../src/gates/dream/dreamFacts.ts';
import { readDiff } from '../../src/gates/secrets/addedLines.ts';
import { findSecrets } from '../../src/gates/secrets/findSecrets.ts';
import { readShell } from '../../src/gates/tools/shellReader.ts';
import { parseUnifiedDiff } from '../../src/gates/unifiedDiff.ts';
import { parseObject } from '../../src/harness/jsonLine.ts';
import { parseTemplate } from '../../src/harness/promptTemplate.ts';
import { parseScenario } from '../../src/harness/scenario.ts';
import { formatMarkdownTable } from '../../src/model/markdownTable.ts';
import { readWords } from '../../src/routing/facts/text.ts';
import { tomlRecords } from '../../src/vault/documents/tomlFindings.ts';
import { yamlCursorAt } from '../../src/vault/documents/yamlCursor.ts';
import { parseFrontmatter } from '../../src/vault/frontmatter.ts';
import { convertBacklog } from '../../src/vault/imports/markdownBacklog.ts';
import { convertMemory } from '../../src/vault/imports/markdownMemory.ts';
import { parsePlainYaml } from '../../src/vault/plainYaml.ts';
import { locateKey, parseToml } from '../../src/vault/toml.ts';
import { checkSeal } from '../../src/vault/viewSeal.ts';
import { parseYaml } from '../../src/vault/yaml.ts';
import { plainText } from '../../webview/session/plainText.ts';
import { boundedPatterns } from '../support/boundedPatterns.ts';
import { createChance } from '../support/chance.ts';
import { patternsIn } from '../support/patterns.ts';
import { type Bench, type BenchRow, processorMs, round, sized } from './bench.ts';

const seed = Number(process.env['RAVEL_SEED'] ?? 1);
const charactersOfSearch = 4000;
const charactersMax = sized(1_000_000, 20_000);
const limitMs = 100;

interface Reader {
  readonly name: string;
  /** Pieces of texts that it looks for. */
  readonly pieces: readonly string[];
  readonly read: (text: string) => unknown;
  /** What is longer is refused at once. */
  readonly charactersMax?: number;
}

const place = { file: 'made.yaml', subject: 'made' };

/** A reader that refuses a text has read it. */
function refusing(read: (text: string) => unknown): (text: string) => unknown {
  return (text) => {
    try {
      return read(text);
    } catch {
      return undefined;
    }
  };
}

const yamlPieces = [
  '# c\r\n',
  '- ',
  'a: ',
  '"',
  "'",
  '[',
  '{',
  '|\n',
  '%',
  '&a',
  '*a',
  '? ',
  '\t',
  'id: x\n',
  '---\n',
  ' #',
];
const markdownPieces = ['# ', '```', '- [ ] ', '|', '**', '[HANDOFF]', '### a\n', 'Session 1', '[[', '[a](b)', '<!--'];

const readers: readonly Reader[] = [
  { name: 'yaml', pieces: yamlPieces, read: (text) => parseYaml(text, place) },
  { name: 'plain yaml', pieces: yamlPieces, read: parsePlainYaml },
  { name: 'frontmatter', pieces: yamlPieces, read: (text) => parseFrontmatter(`---\n${text}`, place) },
  { name: 'yaml cursor', pieces: yamlPieces, read: (text) => yamlCursorAt([text], 0, text.length) },
  {
    name: 'toml',
    pieces: ['[', ']', 'a = ', '"""', '\\', '#'],
    read: refusing((text) => parseToml(text, { ...place, code: 'vault/unreadable' })),
  },
  { name: 'toml keys', pieces: ['[', ']', 'a = ', '"', '.'], read: (text) => locateKey(text, ['a', 'b']) },
  { name: 'toml records', pieces: ['[', ']', 'a = ', '"', '.'], read: tomlRecords },
  {
    name: 'diff',
    pieces: ['diff --git ', 'a/', ' b/', '@@ -1 +1 @@', '"', '\\1', '+', '-', '--- a/'],
    read: parseUnifiedDiff,
  },
  { name: 'added lines', pieces: ['diff --git a/b b/b\n', '@@ -1,9 +1,9 @@\n', '+a\n', '-a\n', ' \n'], read: readDiff },
  {
    name: 'secrets',
    pieces: ['sk-', 'gh', 'password=', '://', '@', ':', 'eyJ', '-----', 'AKIA', 'curl -u '],
    read: findSecrets,
  },
  {
    name: 'shell',
    pieces: ['$(', '`', '<<E', '"', "'", '\\', 'cd a;', '${', '((', '| ', '&&', '{a,b}'],
    read: refusing((text) => readShell(text)),
    charactersMax: 128 * 1024 - 1,
  },
  { name: 'routed words', pieces: ['a@', '://', 'www.', '0x', '1:', 'ab ', 'é', '-'], read: (text) => readWords(text) },
  { name: 'dream facts', pieces: ['`', '"', '/a', 'a.b', 'aB', '1.', '-', 'not ', ', ', '```\n'], read: factsOf },
  {
    name: 'template',
    pieces: ['{{', '}}', '{{A}}', '<!--', '#'],
    read: refusing((text) => parseTemplate(text, 'made.md')),
  },
  { name: 'markdown table', pieces: ['\\', '|', '\n', '`'], read: (text) => formatMarkdownTable(['a'], [[text]]) },
  { name: 'imported backlog', pieces: markdownPieces, read: (text) => convertBacklog(text, place) },
  { name: 'imported memory', pieces: markdownPieces, read: (text) => convertMemory(text, place) },
  { name: 'scenario', pieces: yamlPieces, read: refusing((text) => parseScenario(text, 'made.yaml')) },
  { name: 'line of a stream', pieces: ['{"a":', '[', '"', '\\\\u0041', '1e'], read: parseObject },
  { name: 'view seal', pieces: ['*Ravel makes this view from a', ' %%sha256:', '0'], read: checkSeal },
  { name: 'fence', pieces: ['```', '~~~', '<', '# '], read: (text) => [fenced(text), inlined(text), visible(text)] },
  { name: 'one line', pieces: [' ', '\n', 'a'], read: oneLine },
  { name: 'plain text', pieces: ['\u001b[', '\u009b', '0;', ']', '\u0007'], read: plainText },
];

/** The worst input of each reader and of each regular expression, found by a search, and read once. */
async function untrustedText(): Promise<BenchRow> {
  const chance = createChance(seed);
  const worst = [...readers, ...patternReaders()].map((reader) => worstOf(reader, chance));
  worst.sort((one, other) => other.ms - one.ms);
  const [slowest] = worst;
  const over = worst.filter(({ ms }) => ms > limitMs);
  const value = round(slowest?.ms ?? Number.NaN, 0);
  return {
    id: 'untrusted-text',
    value,
    unit: 'ms',
    goal: `≤ ${limitMs} each`,
    ok: over.length === 0,
    note: `processor time for ${charactersMax} characters, ${worst.length} readers, seed ${seed}; the slowest: ${worst
      .slice(0, Math.max(3, over.length))
      .map(({ name, ms, unit }) => `${name} ${round(ms, 0)} ms for ${JSON.stringify(unit)}`)
      .join(', ')}`,
  };
}

function patternReaders(): Reader[] {
  const files = ['src', 'webview'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const patterns = files.flatMap((path) => patternsIn({ path, text: readFileSync(path, 'utf8') }));
  return patterns.flatMap(({ place: name, literal, written }) => {
    // What is listed meets little text; the readers above use the rest of it.
    if (literal === undefined || Object.hasOwn(boundedPatterns, written)) return [];
    const pattern = new RegExp(literal.source, literal.flags);
    const pieces = literal.source.match(/[A-Za-z0-9]{1,6}|[^A-Za-z0-9\\]/g) ?? [];
    return [{ name: `${name} ${written}`, pieces, read: (text: string) => text.replace(pattern, '') }];
  });
}

const commonPieces = ['a', '0', ' ', '\n', '-', '/', '"', 'aA', '.', '\t', '_', '\\'];
const endings = ['', '\0', '!', '\n'];
const tries = sized(40, 4);

/** Repeats single pieces, then pairs of them by chance; the slowest of the short texts is read at its full length. */
function worstOf(
  { name, pieces, read, charactersMax: most = charactersMax }: Reader,
  chance: (below: number) => number,
) {
  const all = [...new Set([...pieces, ...commonPieces])];
  const some = () => all[chance(all.length)] ?? 'a';
  const units = [
    ...all,
    ...Array.from({ length: tries }, () => some() + some()),
    ...Array.from({ length: tries }, () => some() + some() + some()),
  ];
  const timed = units.map((unit) => {
    const text = textOf(unit, charactersOfSearch, endings[chance(endings.length)] ?? '');
    read(text);
    const start = performance.now();
    read(text);
    return { unit, ms: performance.now() - start };
  });
  timed.sort((one, other) => other.ms - one.ms);
  let slowest = { name, unit: '', ms: 0 };
  for (const { unit } of timed.slice(0, 2)) {
    const text = textOf(unit, Math.min(most, charactersMax) - 1, most < charactersMax ? '' : '\0');
    const start = processorMs();
    read(text);
    const ms = processorMs() - start;
    if (ms >= slowest.ms) slowest = { name, unit, ms };
  }
  return slowest;
}

function textOf(unit: string, length: number, ending: string): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + ending;
}

export const benches: readonly Bench[] = [{ id: 'untrusted-text', run: untrustedText }];
