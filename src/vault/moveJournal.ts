import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { ifThere, isAbsent, toDiskError } from '../base/diskErrors.ts';
import { isRavelError, messageOf, systemCode } from '../base/errors.ts';
import {
  ensureDirectory,
  exists,
  readTextIfExists,
  removeFile,
  removeFileIf,
  removeTree,
  sha256,
  writeAtomic,
  writeAtomicIf,
} from '../base/files.ts';
import { readJson } from '../base/jsonFile.ts';
import { abandonMove, moveTree } from '../base/moveTree.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { actorSchema, ulidSchema } from '../model/idSchemas.ts';
import type { VaultLayout } from './layout.ts';
import { recordRename } from './planRenames.ts';
import { prepareRegistration, renameRegistration, unregisterProject } from './projects.ts';
import { type EarlierName, earlierNameSchema, recordEarlierName } from './runState.ts';

/** The store of the messages of actors. Each method does nothing if nothing is left to do. */
export interface Mailboxes {
  /**
   * Runs `work` while none of these actors handles anything; if one cannot be left alone it throws before that. Has to
   * stand outside of the locks of plans, which a message in hand may wait for.
   */
  withPaused<T>(actors: readonly QualifiedId[], work: () => Promise<T>): Promise<T>;
  rename(from: QualifiedId, to: QualifiedId): Promise<void>;
  /** Into a folder of this path, which the call may make. */
  archive(actor: QualifiedId, directory: string): Promise<void>;
  /** Back from such a folder, under this name. */
  restore(directory: string, actor: QualifiedId): Promise<void>;
}

export interface MovePorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly mailboxes: Mailboxes;
}

/** One thing to do; doing it again does no harm. Paths are relative to the vault, which may itself be moved meanwhile. */
export type MoveStep =
  | { readonly kind: 'path'; readonly from: string; readonly to: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /**
   * Gives a file another text, or takes it away (`null`), if it is still as it was (`null`: not there). What a person saved
   * since stays.
   */
  | { readonly kind: 'replace'; readonly path: string; readonly was: string | null; readonly text: string | null }
  /** Removes a file, and the folders around it as far as they are empty. */
  | { readonly kind: 'clear'; readonly path: string }
  /** From now on, the old name of a plan or a project leads to the new one. */
  | { readonly kind: 'note-rename'; readonly from: string; readonly to: string }
  /** A plan that moved knows from now on under which name its past was committed. */
  | { readonly kind: 'note-earlier-name'; readonly plan: QualifiedId; readonly earlier: EarlierName }
  | { readonly kind: 'mailbox'; readonly from: QualifiedId; readonly to: QualifiedId }
  | { readonly kind: 'archive-mailbox'; readonly actor: QualifiedId; readonly directory: string }
  | { readonly kind: 'restore-mailbox'; readonly directory: string; readonly actor: QualifiedId }
  | { readonly kind: 'link'; readonly name: string; readonly target: string }
  | { readonly kind: 'unlink'; readonly name: string }
  | { readonly kind: 'register'; readonly name: string; readonly path: string; readonly remote?: string }
  | { readonly kind: 'rename-registration'; readonly from: string; readonly to: string }
  | { readonly kind: 'unregister'; readonly name: string };

/** A rename, a removal, a restoration or a rollback. Its first step decides: while that cannot be done, nothing has happened. */
export interface Move {
  readonly id: Ulid;
  /** For people and the ledger, such as `rename Demo/project-root/a to Demo/project-root/b`. */
  readonly what: string;
  readonly subject: QualifiedId;
  /** The plans that there are because of it, under their new ids. */
  readonly plans: readonly QualifiedId[];
  readonly steps: readonly MoveStep[];
}

const stepSchema = <Kind extends MoveStep['kind'], Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.looseObject({ kind: z.literal(kind), ...shape });
const text = z.string();

const moveSchema: z.ZodType<Move> = z.looseObject({
  id: ulidSchema,
  what: text,
  subject: actorSchema,
  plans: z.array(actorSchema),
  steps: z.array(
    z.discriminatedUnion('kind', [
      stepSchema('path', { from: text, to: text }),
      stepSchema('write', { path: text, text }),
      stepSchema('replace', { path: text, was: text.nullable(), text: text.nullable() }),
      stepSchema('clear', { path: text }),
      stepSchema('note-rename', { from: text, to: text }),
      stepSchema('note-earlier-name', { plan: actorSchema, earlier: earlierNameSchema }),
      stepSchema('mailbox', { from: actorSchema, to: actorSchema }),
      stepSchema('archive-mailbox', { actor: actorSchema, directory: text }),
      stepSchema('restore-mailbox', { directory: text, actor: actorSchema }),
      stepSchema('link', { name: text, target: text }),
      stepSchema('unlink', { name: text }),
      stepSchema('register', { name: text, path: text, remote: text.exactOptional() }),
      stepSchema('rename-registration', { from: text, to: text }),
      stepSchema('unregister', { name: text }),
    ]),
  ),
});

/**
 * Carries a move out. Its intent is on disk first, so that `finishMove` brings it to its end after a crash. When its first
 * step fails, nothing has happened and nothing is left; when a later one does, the rest waits for the next try, which
 * the error says.
 */
export async function carryOutMove(ports: MovePorts, move: Move): Promise<void> {
  await writeAtomic(ports.disk, ports.layout.moveIntent, `${JSON.stringify(move, undefined, 2)}\n`);
  await takeSteps(ports, move);
}

/** What an earlier move came to that had not reached its end; undefined when there was none. */
export async function finishMove(
  ports: MovePorts,
): Promise<{ readonly move: Move; readonly outcome: 'finished' | 'undone' } | undefined> {
  const move = await loadIntent(ports);
  if (move === undefined) return undefined;
  try {
    await ports.mailboxes.withPaused(actorsOf(move), () => takeSteps(ports, move));
    return { move, outcome: 'finished' };
  } catch (error) {
    // The intent is gone if nothing had happened yet; the process that asked for the move is gone as well.
    if (!isRavelError(error) || (await exists(ports.disk, ports.layout.moveIntent))) throw error;
    return { move, outcome: 'undone' };
  }
}

async function loadIntent({ disk, layout }: MovePorts): Promise<Move | undefined> {
  const intent = await readTextIfExists(disk, layout.moveIntent);
  if (intent === undefined) return undefined;
  const read = readJson(intent, moveSchema);
  if ('value' in read) return read.value;
  const message = `${layout.moveIntent} cannot be read: ${read.problem}.`;
  throw failure('move/unfinished', layout.root, message, { file: layout.moveIntent });
}

function actorsOf({ steps }: Move): QualifiedId[] {
  const actors = steps.flatMap((step) => {
    if (step.kind === 'mailbox') return [step.from, step.to];
    return step.kind === 'archive-mailbox' || step.kind === 'restore-mailbox' ? [step.actor] : [];
  });
  return [...new Set(actors)];
}

async function takeSteps(ports: MovePorts, move: Move): Promise<void> {
  const { layout } = ports;
  for (const [at, step] of move.steps.entries()) {
    try {
      await takeStep(ports, move, step);
    } catch (error) {
      if (at === 0 && (await isUndone(ports, move, step))) {
        await removeFile(ports.disk, ports.layout.moveIntent);
        throw error;
      }
      const message = `The ${move.what} was begun and not finished: ${messageOf(error)}`;
      throw failure('move/unfinished', move.subject, message, { file: layout.moveIntent, cause: error });
    }
  }
  await removeFile(ports.disk, ports.layout.moveIntent);
}

/** Whether a first step that failed left everything as it was. */
async function isUndone({ disk, layout }: MovePorts, { id }: Move, step: MoveStep): Promise<boolean> {
  if (step.kind === 'link') return (await readLinkIfExists(disk, layout.project(step.name))) !== step.target;
  if (step.kind === 'unlink') return exists(disk, layout.project(step.name));
  if (step.kind === 'replace') return (await readTextOrNull(disk, join(layout.root, step.path))) !== step.text;
  if (step.kind !== 'path') return false;
  const from = join(layout.root, step.from);
  if (!(await exists(disk, from))) return false;
  await abandonMove(disk, { from, to: join(layout.root, step.to), tag: id });
  return true;
}

type StepOf<Kind extends MoveStep['kind']> = Extract<MoveStep, { kind: Kind }>;
type Taker<Kind extends MoveStep['kind']> = (ports: MovePorts, step: StepOf<Kind>, move: Move) => Promise<void>;

const takers: { readonly [Kind in MoveStep['kind']]: Taker<Kind> } = {
  path: ({ disk, layout }, { from, to }, { id }) =>
    moveTree(disk, { from: join(layout.root, from), to: join(layout.root, to), tag: id }),
  async write({ disk, layout }, { path, text }) {
    await ensureDirectory(disk, dirname(join(layout.root, path)));
    await writeAtomic(disk, join(layout.root, path), text);
  },
  replace: ({ disk, layout }, { path, ...step }) => replace(disk, join(layout.root, path), step),
  clear: ({ disk, layout }, { path }) => clear(disk, layout, path),
  'note-rename': (ports, { from, to }) => recordRename(ports, { from, to }),
  'note-earlier-name': (ports, { plan, earlier }) => recordEarlierName(ports, plan, earlier),
  mailbox: ({ mailboxes }, { from, to }) => mailboxes.rename(from, to),
  'archive-mailbox': ({ mailboxes, layout }, { actor, directory }) =>
    mailboxes.archive(actor, join(layout.root, directory)),
  'restore-mailbox': ({ mailboxes, layout }, { actor, directory }) =>
    mailboxes.restore(join(layout.root, directory), actor),
  link: ({ disk, layout }, { name, target }) => link(disk, layout, name, target),
  unlink: ({ disk, layout }, { name }) => unlink(disk, layout, name),
  async register({ disk, layout }, { kind: _kind, ...project }) {
    await (await prepareRegistration(disk, layout, project)).write();
  },
  'rename-registration': ({ disk, layout }, { from, to }) => renameRegistration(disk, layout, from, to),
  unregister: ({ disk, layout }, { name }) => unregisterProject(disk, layout, name),
};

function takeStep<Kind extends MoveStep['kind']>(ports: MovePorts, move: Move, step: StepOf<Kind>): Promise<void> {
  const take: Taker<Kind> = takers[step.kind as Kind];
  return take(ports, step, move);
}

async function replace(
  disk: Disk,
  file: string,
  { was, text }: Pick<StepOf<'replace'>, 'was' | 'text'>,
): Promise<void> {
  if (was === text || (await readTextOrNull(disk, file)) !== was) return;
  try {
    const seen = was === null ? undefined : sha256(was);
    if (text !== null) await writeAtomicIf(disk, file, seen, text);
    else if (seen !== undefined) await removeFileIf(disk, file, seen);
  } catch (error) {
    if (!isRavelError(error, 'yaml/changedMeanwhile')) throw error;
  }
}

async function readTextOrNull(disk: Disk, file: string): Promise<string | null> {
  return (await readTextIfExists(disk, file)) ?? null;
}

async function clear(disk: Disk, layout: VaultLayout, path: string): Promise<void> {
  const file = join(layout.root, path);
  await removeTree(disk, file);
  if (await exists(disk, dirname(file))) await disk.syncDirectory(dirname(file));
  await removeEmptyFolders(disk, dirname(file));
}

/** A folder that is not empty stays: only the user decides what becomes of its files. */
async function removeEmptyFolders(disk: Disk, folder: string): Promise<boolean> {
  try {
    let isEmpty = true;
    for (const entry of await disk.readDirectory(folder)) {
      const isGone = entry.kind === 'directory' && (await removeEmptyFolders(disk, join(folder, entry.name)));
      isEmpty = isEmpty && isGone;
    }
    if (isEmpty) await disk.removeDirectory(folder);
    return isEmpty;
  } catch (error) {
    if (isAbsent(error)) return true;
    throw toDiskError(error, folder, 'remove');
  }
}

async function link(disk: Disk, layout: VaultLayout, name: string, target: string): Promise<void> {
  const path = layout.project(name);
  if ((await readLinkIfExists(disk, path)) === target) return;
  try {
    await ensureDirectory(disk, layout.projects);
    await disk.symlink(target, path);
    await disk.syncDirectory(layout.projects);
  } catch (error) {
    throw toDiskError(error, path, 'make');
  }
}

async function unlink(disk: Disk, layout: VaultLayout, name: string): Promise<void> {
  const path = layout.project(name);
  if ((await readLinkIfExists(disk, path)) === undefined) return;
  try {
    await disk.unlink(path);
    await disk.syncDirectory(layout.projects);
  } catch (error) {
    throw toDiskError(error, path, 'remove');
  }
}

/** Where a symlink leads; undefined for anything else. */
async function readLinkIfExists(disk: Disk, path: string): Promise<string | undefined> {
  const isNone = (error: unknown) => isAbsent(error) || systemCode(error) === 'EINVAL';
  return ifThere(path, () => disk.readLink(path), isNone);
}
