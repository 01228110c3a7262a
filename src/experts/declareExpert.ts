import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { type Diagnostic, RavelError } from '../base/errors.ts';
import { ensureDirectory, exists, writeAtomicIf } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { formatEntryText } from '../vault/entryText.ts';
import { checkScopes, type DeclaredExpert, parseExpert } from '../vault/expertStore.ts';
import type { VaultLayout } from '../vault/layout.ts';

/** What a person says of a new expert; the other keys have their usual values. */
export interface NewExpert {
  /** Its id, with or without `expert:` before it. */
  readonly expert: string;
  readonly description: string;
  readonly persona: string;
  /** Folders below `knowledge/` of the vault. */
  readonly scope: readonly string[];
  readonly tags: readonly string[];
}

/**
 * Writes the declaration of a new expert (docs/vault.md has its keys), and gives the warnings about its folders. A file
 * that is there stays: `expert/exists`. Throws `expert/badId` and `expert/badDeclaration` before anything is written.
 */
export async function declareExpert(
  disk: Disk,
  layout: VaultLayout,
  { expert, description, persona, scope, tags }: NewExpert,
): Promise<{ readonly declared: DeclaredExpert; readonly diagnostics: readonly Diagnostic[] }> {
  const id = expert.replace(/^expert:/, '');
  const file = join(layout.experts, `${id}.md`);
  const fields = {
    ...{ 'actor-type': 'expert', 'expert-id': id, description: description.trim(), persona: persona.trim() },
    ...{ 'knowledge-scope': [...scope], ...(tags.length > 0 && { tags: [...tags] }) },
  };
  const text = formatEntryText(fields, `# ${id}\n\nNotes for people; the expert does not read them.`);
  const { expert: declared, diagnostics } = parseExpert(id, text, file);
  const [fault] = diagnostics;
  if (declared === undefined) {
    if (fault !== undefined) throw new RavelError({ ...fault, help: 'Say it in another way; nothing was written.' });
    throw failure('expert/badDeclaration', `expert:${id}`, 'The declaration could not be read back.');
  }
  if (await exists(disk, file)) {
    throw failure('expert/exists', declared.actor, `The vault has a declaration ${file} already.`);
  }
  await ensureDirectory(disk, layout.experts);
  await writeAtomicIf(disk, file, undefined, text);
  return { declared, diagnostics: [...diagnostics, ...(await checkScopes(disk, layout, declared))] };
}
