import { basename, dirname, join } from 'node:path';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import { RavelError, systemCode } from '../base/errors.ts';
import {
  copyFileAtomic,
  ensureDirectory,
  exists,
  isTemporaryName,
  readText,
  readTextIfExists,
  removeTree,
  writeAtomic,
} from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import { failure } from '../model/codes.ts';
import { type QualifiedId, qualifiedIdProblem } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import type { ImportReport } from '../model/requests/imports.ts';
import { planPath, type VaultLayout } from '../vault/layout.ts';
import { resolveFolder } from '../vault/namedFolder.ts';
import { checkNewPlan } from '../vault/planCreation.ts';
import { descriptionError, planScaffold } from '../vault/planScaffold.ts';
import { readPlanState } from '../vault/planStore.ts';
import { findForeign } from '../vault/scaffold.ts';
import type { Draft } from './draft.ts';
import { draftPlan, isReadOnImport, type PlanSource, planSigns } from './draftPlan.ts';
import { ownPlan, readSourceFolder, sourceBytesMax } from './sourceFolder.ts';

export interface PlanImport {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  /** Absolute path of the folder to copy; nothing in it is changed. */
  readonly source: string;
  readonly id: QualifiedId;
  readonly description: string;
  readonly dryRun: boolean;
  /** Lower-case letters and digits that make the name of the folder unique in which the plan is put together. */
  readonly suffix: string;
  /** Called when it is sure that the plan is made, right before anything of it is. */
  readonly makeWay?: () => Promise<void>;
}

/**
 * Makes a plan of a folder that an older program kept. It is put together in a folder beside its place and then renamed,
 * so that at no moment half a plan is there. Throws what `createPlan` throws, `import/notAPlan`, `import/badSource`, or
 * the first thing that is wrong with a file.
 */
export async function importPlan(plan: PlanImport): Promise<ImportReport> {
  const { disk, layout, id, description, dryRun } = plan;
  const badDescription = descriptionError(id, description);
  if (badDescription !== undefined) throw badDescription;
  const place = await findPlace(disk, layout, id);
  const source = await readSource(plan, place.directory);
  const { draft, ...counts } = draftPlan(source, { id, description, planPath: planPath(id) });
  refuseErrors(draft);
  if (!dryRun) await build(plan, place, { draft, source });
  const { report: files, diagnostics } = draft;
  return { plan: id, directory: layout.plan(id), dryRun, ...counts, files, diagnostics };
}

interface Place {
  /** Real path of the plan to make. */
  readonly directory: string;
  /** `scaffold`: an untouched or half-made root plan stands there, and gives way. */
  readonly holds: 'nothing' | 'scaffold';
}

async function findPlace(disk: Disk, layout: VaultLayout, id: QualifiedId): Promise<Place> {
  const problem = id.startsWith('expert:') ? 'it names an expert' : qualifiedIdProblem(id);
  if (problem !== undefined) throw failure('plan/badId', id, `"${id}" names no plan: ${problem}.`);
  const [project = '', ...below] = id.split('/');
  const ravelDirectory = await realProject(disk, layout, project);
  const directory = join(ravelDirectory, ...below);
  if (below.length === 1) return { directory, holds: await rootHolds(disk, id, directory) };
  await checkNewPlan(disk, layout, id);
  const [foreign] = (await exists(disk, directory)) ? await disk.readDirectory(directory) : [];
  if (foreign !== undefined) throw planExists(id, `there is "${foreign.name}" in that folder`);
  return { directory, holds: 'nothing' };
}

async function realProject(disk: Disk, layout: VaultLayout, project: string): Promise<string> {
  try {
    return await disk.realPath(layout.project(project));
  } catch (error) {
    if (!leadsNowhere(error)) throw toDiskError(error, layout.project(project), 'read');
    const help = `Adopt it first: \`ravel adopt DIR --name ${project} --description TEXT\`.`;
    throw failure('plan/unknown', project, `There is no project "${project}" in this vault.`, { help });
  }
}

/** A root plan may be replaced as long as it is what the adoption made, to the byte. */
async function rootHolds(disk: Disk, id: QualifiedId, directory: string): Promise<Place['holds']> {
  if (!(await exists(disk, directory))) return 'nothing';
  if ((await disk.lstat(directory)).kind !== 'directory') throw planExists(id, 'that name is taken by no folder');
  const file = join(directory, planFiles.marker);
  const text = await readTextIfExists(disk, file);
  const state = text === undefined ? undefined : readPlanState(text, { file, subject: id }).value;
  const name = /^# (.+)$/m.exec(text ?? '')?.[1] ?? '';
  const foreign = await findForeign(disk, directory, planScaffold(name, state?.description ?? ''));
  if (foreign === undefined) return 'scaffold';
  throw planExists(id, `it is in use: "${foreign}" in it is not what the adoption made`);
}

function planExists(id: QualifiedId, reason: string, cause?: unknown): RavelError {
  const message = `The plan "${id}" cannot be imported: ${reason}.`;
  return failure('plan/exists', id, message, defined({ cause }));
}

async function readSource({ disk, source, id }: PlanImport, target: string): Promise<PlanSource> {
  const directory = await resolveFolder(disk, source);
  if (isWithin(directory, target) || isWithin(target, directory)) {
    const message = `Of ${source} and the folder of the plan "${id}", one is inside the other.`;
    throw failure('import/badSource', source, message, { file: source, help: 'Move the folder away first.' });
  }
  if (await exists(disk, join(directory, planFiles.marker))) {
    const message = `${source} holds a ${planFiles.marker}, so it is a plan of Ravel already.`;
    const help = 'Move it to its place below ravel/project-root/ of its project.';
    throw failure('import/notAPlan', source, message, { file: source, help });
  }
  const folder = await readSourceFolder(disk, directory);
  if (!planSigns.some((sign) => folder.files.includes(sign))) {
    const message = `${source} is not a plan: it holds none of ${planSigns.join(', ')}.`;
    const [inside] = folder.leftOut.filter(({ reason }) => reason === ownPlan);
    const help = inside === undefined ? {} : { help: `Its folder ${inside.path} is a plan; name that one.` };
    throw failure('import/notAPlan', source, message, { file: source, ...help });
  }
  const texts = new Map<string, string>();
  for (const path of folder.files.filter(isReadOnImport)) {
    texts.set(path, await readText(disk, join(directory, path), { bytesMax: sourceBytesMax }));
  }
  return { ...folder, directory, texts };
}

/** The first error, which names file and line, and how many more there are. */
function refuseErrors({ diagnostics }: Draft): void {
  const [first, ...others] = diagnostics.filter(({ severity }) => severity === 'error');
  if (first === undefined) return;
  const more =
    others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'problem follows' : 'problems follow'}.`;
  throw new RavelError({ ...first, message: `Nothing was imported. ${first.message}${more}` });
}

interface Content {
  readonly draft: Draft;
  readonly source: PlanSource;
}

async function build(plan: PlanImport, place: Place, content: Content): Promise<void> {
  const { disk, suffix, makeWay } = plan;
  if (place.holds === 'nothing') await makeWay?.();
  const parent = dirname(place.directory);
  const temporary = join(parent, `.${basename(place.directory)}.${suffix}.tmp`);
  await ensureDirectory(disk, parent);
  await removeUnfinishedImports(disk, parent, basename(place.directory));
  try {
    await fill(disk, temporary, content);
    if (place.holds === 'scaffold') await removeScaffold(disk, place.directory);
    await disk.rename(temporary, place.directory);
  } catch (error) {
    // A stale file does no harm: it does not count as a plan, and the next import removes it.
    await removeTree(disk, temporary).catch(() => undefined);
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '')) {
      throw planExists(plan.id, 'another program created it at the same moment', error);
    }
    throw toDiskError(error, place.directory, 'make');
  }
  try {
    await disk.syncDirectory(parent);
  } catch (error) {
    throw toDiskError(error, place.directory, 'make');
  }
}

/** What an import of the same plan left when it was cut short; the caller sees to it that no other is at work. */
async function removeUnfinishedImports(disk: Disk, parent: string, name: string): Promise<void> {
  for (const entry of await disk.readDirectory(parent)) {
    const isUnfinished = entry.name.startsWith(`.${name}.`) && isTemporaryName(entry.name);
    if (isUnfinished && entry.kind === 'directory') await removeTree(disk, join(parent, entry.name));
  }
}

async function fill(disk: Disk, directory: string, { draft, source }: Content): Promise<void> {
  await ensureDirectory(disk, directory);
  for (const [path, content] of draft.files) {
    const file = join(directory, path);
    await ensureDirectory(disk, dirname(file));
    if ('text' in content) await writeAtomic(disk, file, content.text);
    else await copy(disk, source, content.copyOf, file);
  }
}

/** What was looked into is written as it was read then; anything else is copied with its permissions. */
async function copy(disk: Disk, { directory, texts }: PlanSource, path: string, to: string): Promise<void> {
  const text = texts.get(path);
  if (text !== undefined) await writeAtomic(disk, to, text);
  else await copyFileAtomic(disk, join(directory, path), to);
}

/** The marker goes first: from then on an adoption of the project, or the same import, completes what a crash leaves. */
async function removeScaffold(disk: Disk, directory: string): Promise<void> {
  const marker = join(directory, planFiles.marker);
  if (await exists(disk, marker)) await disk.unlink(marker);
  await disk.syncDirectory(directory);
  await removeTree(disk, directory);
}
