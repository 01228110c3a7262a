import { join } from 'node:path';
import * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { type Diagnostic, messageOf } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { diagnostic, failure } from '../model/codes.ts';
import { isQualifiedId, type QualifiedId, rootPlanName, segmentFromId, toQualifiedId, type Ulid } from '../model/id.ts';
import { formatYaml, readYaml } from '../yaml/yaml.ts';
import type { VaultLayout } from './layout.ts';

const qualifiedId = z.custom<QualifiedId>((value) => typeof value === 'string' && isQualifiedId(value), 'no plan id');

/** What `archive.yaml` says beside the things that were put away. */
const archiveSchema = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('plan'),
    plan: qualifiedId,
    /** The plan itself and those below it. */
    plans: z.array(qualifiedId),
    at: z.string(),
  }),
  z.looseObject({
    kind: z.literal('project'),
    project: z.string(),
    /** Where it was on the machine that put it away. */
    path: z.string().optional(),
    remote: z.string().optional(),
    plans: z.array(qualifiedId),
    at: z.string(),
  }),
]);

export type ArchiveRecord = z.infer<typeof archiveSchema>;
export type ArchivedPlan = Extract<ArchiveRecord, { kind: 'plan' }>;
export type ArchivedProject = Extract<ArchiveRecord, { kind: 'project' }>;

/** Something that can be restored, by its name below `archive/`. */
export interface Archived {
  readonly name: string;
  readonly record: ArchiveRecord;
}

export const archiveFile = 'archive.yaml';

/** Name of a new archive; the id makes it one of its own, however often the same is put away. */
export function archiveName(subject: { readonly plan: QualifiedId } | { readonly project: string }, id: Ulid): string {
  return 'plan' in subject
    ? `plans/${segmentFromId(subject.plan)}-${id}`
    : `projects/${segmentFromId(toQualifiedId(`${subject.project}/${rootPlanName}`))}-${id}`;
}

export function formatArchive(record: ArchiveRecord): string {
  return formatYaml(record);
}

/** Archives that can be restored, oldest first. A folder without `archive.yaml` is not ours and not listed. */
export async function listArchives(
  disk: Disk,
  layout: VaultLayout,
): Promise<{ readonly archives: readonly Archived[]; readonly diagnostics: readonly Diagnostic[] }> {
  const archives: Archived[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const kind of ['plans', 'projects']) {
    for (const folder of await readFolder(disk, join(layout.archive, kind))) {
      const name = `${kind}/${folder}`;
      const read = await readArchive(disk, layout, name);
      diagnostics.push(...read.diagnostics);
      if (read.record !== undefined) archives.push({ name, record: read.record });
    }
  }
  archives.sort((a, b) => (a.record.at < b.record.at ? -1 : Number(a.record.at > b.record.at)));
  return { archives, diagnostics };
}

/** Throws `archive/unknown`, or `archive/unreadable`. */
export async function loadArchive(disk: Disk, layout: VaultLayout, name: string): Promise<Archived> {
  // Only names that the list has: any other could lead anywhere.
  const isListed = /^(?:plans|projects)\/[^/\\]+$/.test(name) && !name.split('/').some((part) => part.startsWith('.'));
  const { record, diagnostics } = isListed
    ? await readArchive(disk, layout, name)
    : { record: undefined, diagnostics: [] };
  if (record !== undefined) return { name, record };
  const [problem] = diagnostics;
  if (problem === undefined) throw failure('archive/unknown', name, `There is no archive "${name}" in this vault.`);
  throw failure('archive/unreadable', name, problem.message, {
    ...defined({ file: problem.file }),
  });
}

async function readArchive(
  disk: Disk,
  layout: VaultLayout,
  name: string,
): Promise<{ readonly record?: ArchiveRecord; readonly diagnostics: readonly Diagnostic[] }> {
  const file = join(layout.archive, name, archiveFile);
  const unreadable = (problem: string) => {
    const message = `${file} cannot be read: ${problem}`;
    return { diagnostics: [diagnostic('archive/unreadable', name, message, { file })] };
  };
  try {
    const text = await readTextIfExists(disk, file);
    if (text === undefined) return { diagnostics: [] };
    const { value, diagnostics } = readYaml(archiveSchema, text, { file, subject: name });
    return value === undefined ? unreadable(diagnostics[0]?.message ?? 'it is empty') : { record: value, diagnostics };
  } catch (error) {
    return unreadable(messageOf(error));
  }
}

async function readFolder(disk: Disk, folder: string): Promise<string[]> {
  const entries = await listIfThere(disk, folder);
  return entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
}
