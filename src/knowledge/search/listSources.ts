import { join } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { listIfThere } from '../../base/diskErrors.ts';
import { isRavelError } from '../../base/errors.ts';
import { logPartName, planFiles } from '../../model/plan.ts';
import type { SearchPlace } from '../../model/requests/search.ts';
import { projectPaths, type VaultLayout } from '../../vault/layout.ts';
import { walkVault } from '../../vault/walk.ts';
import { decisionSource, noteSource, planSource, type SearchSource } from './searchSource.ts';

/** A source with the shortest way to its file: through the link of its project each look costs twice as much. */
export interface FoundSource extends SearchSource {
  readonly readFrom: string;
}

/** Every file of the vault that holds entries. What cannot be listed has none; a verification tells of it. */
export async function listSources(disk: ReadingDisk, layout: VaultLayout): Promise<FoundSource[]> {
  const names = new Map<string, readonly string[]>();
  const { plans } = await walkVault(disk, layout, (id, entries) => {
    names.set(
      id,
      entries.flatMap(({ name, kind }) => (kind === 'directory' || placeOf(name) === undefined ? [] : [name])),
    );
  });
  const ofPlans = plans.flatMap(({ id, project, ravelDirectory }) =>
    (names.get(id) ?? []).map((name): FoundSource => {
      const folder = `${ravelDirectory}/${id.slice(project.length + 1)}`;
      return { ...planSource(layout, placeOf(name) ?? 'plans', id, name), readFrom: `${folder}/${name}` };
    }),
  );
  const projects = new Map(plans.map(({ project, ravelDirectory }) => [project, ravelDirectory]));
  const notes = await listNotes(disk, layout.knowledge, '', layout);
  for (const [project, ravelDirectory] of projects) {
    notes.push(...(await listNotes(disk, join(ravelDirectory, projectPaths.knowledge), project, layout)));
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
      found.push({ ...source, readFrom: source.file });
    }
  }
  return found;
}

const monthName = /^\d{4}-\d{2}$/;

/** Deeper folders are not looked into, nor more notes than this taken; a vault of notes has far fewer. */
const depthMax = 20;
const notesMax = 200_000;

async function listNotes(
  disk: ReadingDisk,
  folder: string,
  project: string,
  layout: VaultLayout,
): Promise<FoundSource[]> {
  const notes: FoundSource[] = [];
  const pending = [{ path: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, depth } = next;
    for (const { name, kind } of await entriesIn(disk, join(folder, path))) {
      if (name.startsWith('.')) continue;
      const below = path === '' ? name : `${path}/${name}`;
      if (kind === 'directory' && depth < depthMax) pending.push({ path: below, depth: depth + 1 });
      if (kind !== 'file' || !name.endsWith('.md') || notes.length >= notesMax) continue;
      notes.push({ ...noteSource(layout, project, below), readFrom: join(folder, below) });
    }
  }
  return notes;
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
