import { join } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { exists, readTextIfExists } from '../base/files.ts';
import { diagnostic } from '../model/codes.ts';
import { type Expert, expertIdProblem, expertSchema } from '../model/expert.ts';
import { type QualifiedId, toQualifiedId } from '../model/id.ts';
import { fieldsOfOlderExpert, isOlderExpert, olderKeyOf } from '../model/olderExpert.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';
import { keyRange, parseFrontmatter } from './frontmatter.ts';
import type { VaultLayout } from './layout.ts';

/** A declaration that is valid. */
export interface DeclaredExpert {
  readonly actor: QualifiedId;
  readonly file: string;
  readonly expert: Expert;
  /** Notes for people. */
  readonly body: string;
}

export interface Experts {
  /** Sorted by id. */
  readonly experts: readonly DeclaredExpert[];
  /** What is wrong with the others, and warnings about these. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Larger declarations are not even read; personas have a limit of their own. */
const declarationBytesMax = 256 * 1024;

/** Reads `experts/*.md`. A file that is not a valid declaration is left out, and each of its faults is reported. */
export async function loadExperts(disk: ReadingDisk, layout: VaultLayout): Promise<Experts> {
  const experts: DeclaredExpert[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of await declarationNames(disk, layout)) {
    const read = await loadExpert(disk, layout, name);
    diagnostics.push(...read.diagnostics);
    if (read.expert !== undefined) experts.push(read.expert);
  }
  return { experts, diagnostics };
}

/** One declaration from its text, in the present form or the older one; `id` is the name of its file without the ending. */
export function parseExpert(
  id: string,
  text: string,
  file: string,
): Omit<Experts, 'experts'> & { expert?: DeclaredExpert } {
  const subject = `expert:${id}`;
  const place = { file, subject };
  const idProblem = expertIdProblem(id);
  if (idProblem !== undefined) {
    const help = 'Give the file another name.';
    return {
      diagnostics: [diagnostic('expert/badId', subject, `${file} cannot be an expert: ${idProblem}.`, { file, help })],
    };
  }
  const { data, body, diagnostics } = parseFrontmatter(text, place);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
  const isOlder = isOlderExpert(data);
  const parsed = expertSchema.safeParse(isOlder ? fieldsOfOlderExpert(id, data, body) : data);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => {
      const key = path.map(String).join('.');
      return fault(place, text, isOlder ? olderKeyOf(key) : key, message);
    });
    return { diagnostics: [...diagnostics, ...problems] };
  }
  if (parsed.data['expert-id'] !== id) {
    const message = `The expert-id is "${parsed.data['expert-id']}", and the file is named for "${id}".`;
    const range = keyRange(text, 'expert-id');
    return { diagnostics: [...diagnostics, diagnostic('expert/badId', subject, message, { file, range })] };
  }
  const notes = isOlder ? '' : body;
  return { expert: { actor: toQualifiedId(subject), file, expert: parsed.data, body: notes }, diagnostics };
}

/** Warnings about folders of the vault's knowledge that an expert names and that are not there. */
export async function checkScopes(
  disk: ReadingDisk,
  layout: VaultLayout,
  declared: DeclaredExpert,
): Promise<Diagnostic[]> {
  const problems: Diagnostic[] = [];
  for (const scope of declared.expert['knowledge-scope']) {
    const folder = foldersOfScope(scope);
    if (await exists(disk, join(layout.knowledge, ...folder))) continue;
    const message = `The knowledge-scope "${scope}" leads to ${['knowledge', ...folder].join('/')}, which does not exist.`;
    problems.push(
      diagnostic('expert/unknownScope', declared.actor, message, { severity: 'warning', file: declared.file }),
    );
  }
  return problems;
}

/** The folders that a scope names before its first wildcard. */
export function foldersOfScope(scope: string): string[] {
  const parts = scope.split('/').filter((part) => part !== '');
  const wild = parts.findIndex((part) => /[*?[\]{}!]/.test(part));
  return wild < 0 ? parts : parts.slice(0, wild);
}

async function loadExpert(
  disk: ReadingDisk,
  layout: VaultLayout,
  name: string,
): Promise<Omit<Experts, 'experts'> & { expert?: DeclaredExpert }> {
  const file = join(layout.experts, name);
  try {
    const text = await readTextIfExists(disk, file, { bytesMax: declarationBytesMax });
    // It went away between the look at the folder and this one.
    if (text === undefined) return { diagnostics: [] };
    return parseExpert(name.slice(0, -'.md'.length), text, file);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return { diagnostics: [error.diagnostic] };
  }
}

async function declarationNames(disk: ReadingDisk, layout: VaultLayout): Promise<string[]> {
  const entries = await listIfThere(disk, layout.experts);
  return entries
    .filter(({ name, kind }) => kind !== 'directory' && name.endsWith('.md') && !name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/** `path` is that of the key in the file, with dots. */
function fault({ file, subject }: YamlPlace, text: string, path: string, problem: string): Diagnostic {
  const [key = ''] = path.split('.');
  const isMissing = /^[\w-]+$/.test(key) && !text.split('\n').some((line) => line.startsWith(`${key}:`));
  const message = isMissing
    ? `The declaration has no "${path}".`
    : `Bad declaration: ${path === '' ? '' : `${path}: `}${problem}.`;
  return diagnostic('expert/badDeclaration', subject, message, { file, range: keyRange(text, key) });
}
