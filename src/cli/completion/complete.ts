import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { oneLine } from '../../base/text.ts';
import { VaultLayout } from '../../vault/layout.ts';
import { type CompletionRequest, type OpenQuote, splitLine, whatIsAsked } from './commandLineWords.ts';
import type { CommandRow, Source } from './table.ts';
import { lookUps, type NameAtCursor } from './vaultNames.ts';

/** How the answer is given: each shell has its own rules for quotes, and only two of them show descriptions. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export interface CompletionPorts {
  readonly disk: Disk;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  /** The folder that holds `shipped/`. */
  readonly packageRoot: string;
  readonly table: CommandRow;
}

/** A shell that lists more than these asks first, and shows none of their descriptions well. */
const namesMax = 300;

/**
 * What the script of a shell prints for the words of a line: `files`, `folders` or `words` on the first line, then a
 * candidate on each line, with a tab before its description. `bash` is given its word breaks and the line up to the
 * cursor, the others the words up to the cursor. Throws nothing that a broken vault can cause; a caller that catches the
 * rest prints nothing.
 */
export async function complete(ports: CompletionPorts, given: readonly string[]): Promise<string> {
  const [shell = '', ...rest] = given;
  if (shell === 'bash') {
    const [breaks = '', line = ''] = rest;
    const { words, quote } = splitLine(line);
    const asked = whatIsAsked(ports.table, words);
    const cut = quote === '' ? afterBreak(asked.word, breaks) : 0;
    return answer(ports, asked, ({ value }) => escapedIn[quote](value)?.slice(cut));
  }
  const asked = whatIsAsked(ports.table, rest);
  // These shells quote by themselves.
  return answer(ports, asked, ({ value, about }) => (about === undefined ? value : `${value}\t${about}`));
}

async function answer(
  ports: CompletionPorts,
  asked: CompletionRequest,
  format: (name: NameAtCursor) => string | undefined,
): Promise<string> {
  const prefix = asked.word.slice(asked.before.length);
  const fitting = fittingNames(await namesFor(ports, asked, prefix), prefix);
  const kinds = asked.sources.filter((source) => typeof source === 'string');
  const first =
    fitting.length > 0 ? 'words' : kinds.includes('file') ? 'files' : kinds.includes('folder') ? 'folders' : 'words';
  const lines = fitting.map(({ value, about }) => {
    const shown = about === undefined ? {} : { about: shortened(oneLine(about)) };
    return format({ value: `${asked.before}${value}`, ...shown });
  });
  return [first, ...lines.filter((line) => line !== undefined && !/[\r\n]/.test(line)), ''].join('\n');
}

async function namesFor(
  ports: CompletionPorts,
  asked: CompletionRequest,
  prefix: string,
): Promise<readonly NameAtCursor[]> {
  const { commands, options } = asked;
  const named = [
    ...commands.map(({ name, about }) => ({ value: name, about })),
    ...options.flatMap(({ flags, about }) => flags.map((value) => ({ value, about }))),
  ];
  const found = await Promise.all(asked.sources.map((source) => namesFrom(source, { ports, asked, prefix })));
  return [...named, ...found.flat()];
}

interface NameContext {
  readonly ports: CompletionPorts;
  readonly asked: CompletionRequest;
  readonly prefix: string;
}

async function namesFrom(source: Source, context: NameContext): Promise<readonly NameAtCursor[]> {
  if (typeof source !== 'string') return source.map((value) => ({ value }));
  const { ports, asked, prefix } = context;
  if (source === 'shippedExpert') return shippedExperts(ports);
  const lookUp = lookUps[source];
  if (lookUp === undefined) return [];
  const root = await vaultOf(ports, asked);
  if (root === undefined) return [];
  const plan = planAmong(asked);
  return lookUp({ disk: ports.disk, layout: new VaultLayout(root), prefix, plan });
}

/** The last plan that stands before the cursor, first of all one in a place of its own. */
function planAmong({ given }: CompletionRequest): string | undefined {
  const takesPlan = (kinds: readonly Source[]) => kinds.some((kind) => kind === 'plan');
  const plans = given.filter(({ sources }) => takesPlan(sources));
  return (plans.findLast(({ flag }) => flag === undefined) ?? plans.findLast(({ flag }) => flag !== '--suggest'))
    ?.value;
}

async function shippedExperts({ disk, packageRoot }: CompletionPorts): Promise<readonly NameAtCursor[]> {
  const entries = await disk.readDirectory(join(packageRoot, 'shipped', 'experts'));
  return entries.map(({ name }) => ({ value: name.replace(/\.md$/, '') }));
}

/** As for any command; undefined if there is none, or none that can be read. */
async function vaultOf(
  { disk, environment, workingDirectory }: CompletionPorts,
  asked: CompletionRequest,
): Promise<string | undefined> {
  const flag = asked.given.findLast((one) => one.flag === '--vault')?.value;
  const home = environment['HOME'] ?? '';
  try {
    // With TOML, which only a vault that the user's configuration names needs.
    const { findVault } = await import('../../vault/discovery.ts');
    // The shell has not expanded the line yet.
    const named = flag === undefined ? {} : { flag: flag.replace(/^~(?=\/|$)/, home) };
    return await findVault({ ...named, environment, workingDirectory, disk });
  } catch {
    // A completion reports nothing; the command itself says what is wrong.
    return undefined;
  }
}

/**
 * Names that begin with what is typed, in any case for ids. Of very many only their next step is given, up to the next
 * `/`, as a shell does with folders.
 */
function fittingNames(names: readonly NameAtCursor[], prefix: string): readonly NameAtCursor[] {
  const byValue = new Map<string, NameAtCursor>();
  for (const name of names) {
    if (name.value.startsWith(prefix) || (/^[0-9]/.test(prefix) && name.value.startsWith(prefix.toUpperCase()))) {
      if (!byValue.has(name.value)) byValue.set(name.value, name);
    }
  }
  const fitting = [...byValue.values()];
  if (fitting.length <= namesMax) return fitting;
  const steps = new Map<string, NameAtCursor>();
  for (const name of fitting) {
    const end = name.value.indexOf('/', prefix.length) + 1;
    const value = end === 0 ? name.value : name.value.slice(0, end);
    if (!steps.has(value)) steps.set(value, end === 0 ? name : { value });
  }
  return [...steps.values()];
}

/** Readline replaces only what stands behind the last of its word breaks. */
function afterBreak(word: string, breaks: string): number {
  const found = [...':=']
    .filter((one) => breaks.includes(one))
    .map((one) => escapedForShell(word).lastIndexOf(one) + 1);
  return Math.max(0, ...found);
}

function escapedForShell(text: string): string {
  return text.replace(/[^\w@%+=:,./~-]/gu, (character) => `\\${character}`);
}

/**
 * What bash puts into the line for a name, which stands there as it is given: a name of a file must not become a command.
 * Undefined for one that the open quotation cannot hold, such as `!`, which bash replaces from its history.
 */
const escapedIn: Readonly<Record<OpenQuote, (text: string) => string | undefined>> = {
  '': escapedForShell,
  '"': (text) => (text.includes('!') ? undefined : text.replace(/[\\$`"]/g, (character) => `\\${character}`)),
  "'": (text) => (text.includes("'") ? undefined : text),
};

function shortened(text: string): string {
  return text.length <= 70 ? text : `${text.slice(0, 69)}…`;
}
