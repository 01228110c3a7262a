import { join } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import type { KnowledgeScope } from '../knowledge/search/knowledgeScope.ts';
import { diagnostic } from '../model/codes.ts';
import type { Expert } from '../model/expert.ts';
import { checkScopes, type DeclaredExpert, foldersOfScope } from '../vault/expertStore.ts';
import type { ReadingPorts } from '../vault/vaultPorts.ts';

/** Where an expert looks for entries: in the vault, and in projects only if its declaration says so. */
export function scopesOf(expert: Pick<Expert, 'knowledge-scope' | 'project-knowledge'>): readonly KnowledgeScope[] {
  return [
    ...expert['knowledge-scope'].map((glob) => ({ project: '', glob })),
    ...expert['project-knowledge'].map((scope) => {
      const [project = '', ...folders] = scope.replace(/\/$/, '').split('/');
      return { project, glob: folders.join('/') };
    }),
  ];
}

/** What is doubtful about the scopes of experts: folders that are missing or empty, and one scope within another. */
export async function checkExpertScopes(
  { disk, layout }: ReadingPorts,
  experts: readonly DeclaredExpert[],
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const one of experts) {
    const missing = await checkScopes(disk, layout, one);
    found.push(...missing);
    const folders = one.expert['knowledge-scope'].map((scope) => foldersOfScope(scope).join('/'));
    const isEmpty = !(await anyHasNote(disk, layout.knowledge, folders));
    if (isEmpty && one.expert['project-knowledge'].length === 0) found.push(emptyScope(one));
  }
  return [...found, ...overlaps(experts)];
}

function emptyScope({ actor, file }: DeclaredExpert): Diagnostic {
  const message = `No entry lies in the scope of ${actor}, so it knows nothing.`;
  return diagnostic('expert/emptyScope', actor, message, { severity: 'warning', file });
}

/** Of two with the same scope the second is told. */
function overlaps(experts: readonly DeclaredExpert[]): Diagnostic[] {
  return experts.flatMap((one, at) => {
    const around = experts.find(
      (other, place) => other !== one && isWithinScope(one, other) && (place < at || !isWithinScope(other, one)),
    );
    if (around === undefined) return [];
    const message = `All that ${one.actor} knows lies in the scope of ${around.actor}, too.`;
    return [diagnostic('expert/overlappingScope', one.actor, message, { severity: 'info', file: one.file })];
  });
}

function isWithinScope({ expert: inner }: DeclaredExpert, { expert: outer }: DeclaredExpert): boolean {
  return scopesOf(inner).every((scope) =>
    scopesOf(outer).some(
      (other) =>
        (other.project === scope.project || (other.project === '*' && scope.project !== '')) &&
        covers(other.glob, scope.glob),
    ),
  );
}

function covers(outer: string, inner: string): boolean {
  const folder = outer.replace(/\/\*\*$/, '');
  return inner === outer || inner === folder || inner.startsWith(`${folder}/`) || outer === '**';
}

/** Folders that are looked into at most. */
const foldersMax = 2000;

async function anyHasNote(disk: ReadingDisk, root: string, folders: readonly string[]): Promise<boolean> {
  const pending = [...folders];
  for (let looked = 0; pending.length > 0 && looked < foldersMax; looked += 1) {
    const folder = pending.pop() ?? '';
    for (const { name, kind } of await namesIn(disk, join(root, folder))) {
      if (name.startsWith('.')) continue;
      if (kind === 'file' && name.endsWith('.md')) return true;
      if (kind === 'directory') pending.push(`${folder}/${name}`);
    }
  }
  // Of a deep tree nothing is claimed.
  return pending.length > 0;
}

async function namesIn(disk: ReadingDisk, folder: string) {
  try {
    return await listIfThere(disk, folder);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    // A file in the place of a folder, or one that cannot be listed: it has no entries that can be found.
    return [];
  }
}
