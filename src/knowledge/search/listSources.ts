import { dirname, join } from 'node:path';
import type { DirectoryEntry, ReadingDisk } from '../../base/disk.ts';
import { listIfThere } from '../../base/diskErrors.ts';
import { isRavelError } from '../../base/errors.ts';
import { isWithin } from '../../base/paths.ts';
import { logPartName, planFiles } from '../../model/plan.ts';
import type { SearchPlace } from '../../model/requests/search.ts';
import { knowledgeFolders, listNotes } from '../../vault/entryFiles.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { walkVault } from '../../vault/walk.ts';
import { decisionSource, noteSource, planSource, type SearchSource } from './searchSource.ts';

/** A source with the shortest way to its file: through the link of its project each look costs twice as much. */
export interface FoundSource extends SearchSource {
  readonly readFrom: string;
  /** Whether the file is a link, which can lead anywhere. */
  readonly isLink: boolean;
}

/** Every file of the vault that holds entries. What cannot be listed has none; a verification tells of it. */
export async function listSources(disk: ReadingDisk, layout: VaultLayout): Promise<FoundSource[]> {
  const files = new Map<string, readonly DirectoryEntry[]>();
  const { plans } = await walkVault(disk, layout, (id, entries) => {
    files.set(
      id,
      entries.filter(({ name, kind }) => kind !== 'directory' && placeOf(name) !== undefined),
    );
  });
  const ofPlans = plans.flatMap(({ id, project, ravelDirectory }) =>
    (files.get(id) ?? []).map(({ name, kind }): FoundSource => {
      const readFrom = `${ravelDirectory}/${id.slice(project.length + 1)}/${name}`;
      return { ...planSource(layout, placeOf(name) ?? 'plans', id, name), readFrom, isLink: kind === 'symlink' };
    }),
  );
  const notes: FoundSource[] = [];
  for (const folder of knowledgeFolders(layout, plans)) {
    if (folder.isArchived || !(await isOwnFolder(disk, folder.readFrom))) continue;
    for (const { project, path, readFrom } of (await listNotes(disk, folder)).notes) {
      notes.push({ ...noteSource(layout, project, path), readFrom, isLink: false });
    }
  }
  return [...ofPlans, ...(await listDecisions(disk, layout)), ...notes];
}

function placeOf(name: string): SearchPlace | undefined {
  if (logPartName.test(name)) return 'sessions';
  return places.get(name);
}

const places: ReadonlyMap<string, SearchPlace> = new Map([
  [planFiles.marker, 'plans'],
  [planFiles.backlog, 'backlog'],
  [planFiles.memory, 'memory'],
  [planFiles.sessionLog, 'sessions'],
]);

async function listDecisions(disk: ReadingDisk, layout: VaultLayout): Promise<FoundSource[]> {
  const months = (await namesIn(disk, layout.decisionArchive, 'directory')).filter((name) => monthName.test(name));
  const found: FoundSource[] = [];
  for (const month of ['', ...months]) {
    const folder = month === '' ? layout.decisions : join(layout.decisionArchive, month);
    for (const name of await namesIn(disk, folder, 'file')) {
      if (!name.endsWith('.yaml')) continue;
      const source = decisionSource(layout, month, name);
      found.push({ ...source, readFrom: source.file, isLink: false });
    }
  }
  return found;
}

const monthName = /^\d{4}-\d{2}$/;

/** A link in the place of the folder leads out of what is searched. */
async function isOwnFolder(disk: ReadingDisk, folder: string): Promise<boolean> {
  const above = await disk.realPath(dirname(folder)).catch(() => undefined);
  const real = await disk.realPath(folder).catch(() => undefined);
  return above !== undefined && real !== undefined && isWithin(above, real);
}

async function namesIn(disk: ReadingDisk, folder: string, wanted: 'file' | 'directory'): Promise<string[]> {
  return (await entriesIn(disk, folder)).flatMap(({ name, kind }) => (kind === wanted ? [name] : []));
}

async function entriesIn(disk: ReadingDisk, folder: string) {
  try {
    return await listIfThere(disk, folder);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    // It has no entries that can be found; the verification of the vault names it.
    return [];
  }
}
