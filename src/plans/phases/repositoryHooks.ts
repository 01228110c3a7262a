import { join, relative, resolve, sep } from 'node:path';
import type { Disk, EntryKind } from '../../base/disk.ts';
import { fileError, ifThere, leadsNowhere, namesNothing } from '../../base/diskErrors.ts';
import { exists, type FileBeginning, hashFile, readBeginning, sha256, walkFiles } from '../../base/files.ts';
import { isWithin } from '../../base/paths.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import type { ExecutorName } from '../../model/settings.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { loadDecision } from '../approvals/decisions.ts';
import type { ApprovalQuestion } from '../approvals/question.ts';
import type { PlanServices } from '../services.ts';

/** A check of a plan's own, run before work. */
export const preWorkFile = 'pre-work.sh';

/** A file that would run, or that says what would, by its path from the project. */
export interface HookFile {
  readonly path: string;
  readonly sha256: string;
  /** Absent where it is long, no text, or behind a link that leads out of the project. */
  readonly text?: string;
}

export interface HookStart {
  readonly location: PlanLocation;
  readonly phase: ReasoningPhase;
  readonly harness: ExecutorName;
}

/**
 * What a person must allow before this phase may run: programs of the repository that its start would run by itself.
 * Undefined where there are none, and where they were allowed as they are now.
 */
export async function hooksQuestion(services: PlanServices, start: HookStart): Promise<ApprovalQuestion | undefined> {
  const files = await hookFiles(services, start);
  if (files.length === 0) return undefined;
  const hash = hashOf(files);
  if (await isAllowed(services, start.location, hash)) return undefined;
  const names = files.map(({ path }) => path).join(', ');
  const reason = `${start.phase} runs programs of the repository: ${names}.`;
  return { kind: 'repository-hooks', reason, details: { phase: start.phase, hash, files } };
}

/** The run state has only the pointer, `decisions/` has the grant: removing the decision revokes it. */
async function isAllowed(services: PlanServices, { id }: PlanLocation, hash: string): Promise<boolean> {
  const { hooks = [] } = await loadRunState(services.disk, services.layout, id);
  for (const { approval } of hooks.filter((allowed) => allowed.hash === hash)) {
    const decision = await loadDecision(services, approval);
    if (decision?.decision !== 'accept' || decision.plan !== id) continue;
    if ((decision.details as { readonly hash?: unknown }).hash === hash) return true;
  }
  return false;
}

function hashOf(files: readonly HookFile[]): string {
  return sha256(JSON.stringify(files.map(({ path, sha256: hash }) => [path, hash])));
}

async function hookFiles(services: PlanServices, { location, phase, harness }: HookStart): Promise<HookFile[]> {
  const { disk, settings } = services;
  const paths = new Set<string>();
  const script = join(location.directory, preWorkFile);
  if (phase === 'work' && (await isExecutable(disk, script))) {
    paths.add(join(location.ravelDirectory, ...location.id.split('/').slice(1), preWorkFile));
  }
  const letsIn = harness === 'claude-code' && settings.harnesses['claude-code']['setting-sources'] === 'project';
  if (letsIn && seesProject.has(phase)) {
    for (const path of await programSettings(disk, location.projectDirectory)) paths.add(path);
  }
  const files: HookFile[] = [];
  for (const path of [...paths].sort()) files.push(await describe(disk, location.projectDirectory, path));
  return files;
}

/** Phases whose session works in the project or looks into it; the others see their staging alone. */
const seesProject: ReadonlySet<ReasoningPhase> = new Set(['work', 'analyse-work']);

/** Whether a plan's own check would run: a regular file, or a link to one, that may be executed. */
export async function isExecutable(disk: Disk, path: string): Promise<boolean> {
  const found = await ifThere(path, () => disk.stat(path));
  return found?.kind === 'file' && (found.mode & 0o111) !== 0;
}

/** The settings of the agent program that a repository brings along, and the scripts that they name inside the project. */
async function programSettings(disk: Disk, project: string): Promise<string[]> {
  const folder = join(project, '.claude');
  if (!(await exists(disk, folder))) return [];
  const settings: string[] = [];
  for (const { name } of await disk.readDirectory(folder)) {
    const kind = /^settings.*\.json$/.test(name) ? await kindOf(disk, join(folder, name)) : undefined;
    if (kind !== undefined && kind !== 'directory') settings.push(join(folder, name));
  }
  if (settings.length === 0) return [];
  const hooks = join(folder, 'hooks');
  const scripts = (await exists(disk, hooks)) ? await walkFiles(disk, hooks) : [];
  const found = new Set([...settings, ...scripts.map((name) => join(hooks, name))]);
  for (const file of settings) {
    const { bytes, size } = await beginningOf(disk, file, settingsBytesMax);
    if (size > settingsBytesMax) throw tooLarge(file, size, settingsBytesMax);
    for (const named of namedPaths(bytes.toString('utf8'), project)) {
      if ((await kindOf(disk, named)) === 'file') found.add(named);
    }
  }
  return [...found];
}

/** Also asked of words of a command that could name no file. */
async function kindOf(disk: Disk, path: string): Promise<EntryKind | undefined> {
  const isNothing = (error: unknown) => namesNothing(error) || leadsNowhere(error);
  return (await ifThere(path, () => disk.stat(path), isNothing))?.kind;
}

/** Every word of the settings that could lead to a file of the project. */
function namedPaths(text: string, project: string): string[] {
  const whole = text.replace(/\$\{?CLAUDE_PROJECT_DIR\}?/g, project);
  // A quote inside a command can end a word or be in the middle of one.
  const words = ['', ' '].flatMap((quote) =>
    whole
      .replace(/\\"|'/g, quote)
      .replaceAll('\\', '')
      .split(/[\s"`;|&()<>{}[\]=,]+/),
  );
  const paths = words.filter((word) => word !== '' && word.length < 4096).map((word) => resolve(project, word));
  return [...new Set(paths)].filter((path) => path !== project && isWithin(project, path));
}

const settingsBytesMax = 4 * 1024 * 1024;
const comparedBytesMax = 256 * 1024 * 1024;
const shownBytesMax = 20_000;

async function describe(disk: Disk, project: string, path: string): Promise<HookFile> {
  const name = relative(project, path).split(sep).join('/');
  const real = await disk.realPath(path);
  const { bytes, size } = await beginningOf(disk, path, shownBytesMax);
  if (size > comparedBytesMax) throw tooLarge(path, size, comparedBytesMax);
  if (size > shownBytesMax) return { path: name, sha256: await hashFile(disk, real) };
  const text = bytes.toString('utf8');
  // A link can lead to a key.
  const isShown = isWithin(await disk.realPath(project), real) && Buffer.from(text).equals(bytes);
  return { path: name, sha256: sha256(bytes), ...(isShown && { text }) };
}

/**
 * A session can have put anything there: reading a pipe or a device would block this process, and the agent program
 * too.
 */
async function beginningOf(disk: Disk, path: string, bytesMax: number): Promise<FileBeginning> {
  const found = await readBeginning(disk, await disk.realPath(path), bytesMax);
  if (typeof found === 'object') return found;
  const message = `${path} would say what runs, and is not a regular file.`;
  throw fileError('disk/failed', path, message, { help: 'Remove it, or put a file in its place.' });
}

function tooLarge(path: string, size: number, bytesMax: number) {
  const message = `${path} has ${size} bytes; of a file that says what runs at most ${bytesMax} are compared.`;
  return fileError('disk/tooLarge', path, message, {
    help: 'Take it out of the settings in .claude, or make it smaller.',
  });
}
