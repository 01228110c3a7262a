import { dirname, join, resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { readTextIfExists } from '../../base/files.ts';
import { isWithin } from '../../base/paths.ts';
import { isGitConfigFile } from '../../gates/tools/toolPath.ts';
import { matchesWildcard } from '../../gates/wildcard.ts';
import { decidingPathspecs } from '../../git/decidingFiles.ts';
import { locateRepository, type RepositoryPlace } from '../../git/repository.ts';
import { pointerBytesMax } from '../../git/repositoryFiles.ts';
import { splitNul } from '../../git/splitNul.ts';
import type { ConfinedPlace, ConfinedShell, Refused } from '../../harness/confinement/confinement.ts';
import { failure } from '../../model/codes.ts';
import type { Unconfined } from '../../model/confinement.ts';
import { decidingFiles, decidingRules, endsWithNames } from '../../model/decidingFiles.ts';
import type { Ulid } from '../../model/id.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { PlanServices } from '../services.ts';
import { findSecretFiles } from './secretFiles.ts';

/**
 * The sandbox of a work session, tried. Throws `sandbox/unavailable` if the settings require one and there is none, and if
 * files of the project keep it from being built.
 */
export async function confineSession(
  services: PlanServices,
  location: PlanLocation,
  session: Ulid,
  stop: AbortSignal,
): Promise<ConfinedShell> {
  const sandboxMode = services.settings.sandbox.commands;
  if (sandboxMode === 'off') {
    return {
      state: 'unconfined',
      reason: 'Sandboxes are switched off.',
      fix: '`commands = "preferred"` under `[sandbox]` in daemon.toml',
    };
  }
  const place = await placeOf(services, location, session);
  const shell = place === undefined ? await secretsUnknown(services) : await services.confiner.confine(place, stop);
  if (shell.state === 'refused')
    throw failure('sandbox/unavailable', location.id, ...confinementRefusal('Work', shell));
  if (shell.state === 'unconfined' && sandboxMode === 'required') throw unavailable(location, shell);
  return shell;
}

/** For the preflight, before anything of a phase is on disk; throws as `confineSession` does. */
export async function checkConfinement(
  services: Pick<PlanServices, 'settings' | 'confiner'>,
  location: PlanLocation,
): Promise<void> {
  if (services.settings.sandbox.commands !== 'required') return;
  const found = await services.confiner.probe();
  if (found.state === 'unconfined') throw unavailable(location, found);
}

/** What is said of work or hooks that do not begin, and what to do. */
export function confinementRefusal(
  what: string,
  { reason, fix }: Refused,
): [message: string, { readonly help: string }] {
  const help = `To fix it: ${fix}. If the project is to stay as it is, set \`sandbox.commands\` to "off" in daemon.toml: then its sessions run with your rights.`;
  const message = `${what} would run in a sandbox that files of the project keep from being built, so nothing was started. ${reason}`;
  return [message, { help }];
}

function unavailable({ id }: PlanLocation, { reason, fix }: Unconfined) {
  const message = `Work of ${id} would be unconfined, and \`sandbox.commands\` is "required", so it does not begin. ${reason}`;
  const help = fix && `To fix it: ${fix}. Or set \`sandbox.commands\` to "preferred" in daemon.toml.`;
  return failure('sandbox/unavailable', id, message, { ...defined({ help }) });
}

async function placeOf(
  services: PlanServices,
  location: PlanLocation,
  session: Ulid,
): Promise<ConfinedPlace | undefined> {
  const { disk, git, layout, settings, socketPath, environment, adapters } = services;
  const { projectDirectory: project, ravelDirectory } = location;
  const repository = await locateRepository(git, project);
  // All of the repository is shown, also around a project in one of its folders.
  const secretFiles = await findHiddenFiles(services, repository.root);
  if (secretFiles === undefined) return undefined;
  return {
    ...{ project, ravelDirectory, socketPath, secretFiles },
    sessionDirectory: layout.session(session),
    vault: await disk.realPath(layout.root),
    repository: { ...repository, commonDirectory: await commonDirectory(services, repository) },
    trackedSecrets: await trackedAmong(services, project, secretFiles),
    fixed: await decidingPaths(services, project, repository.root),
    network: settings.sandbox.network === 'open' ? 'open' : 'closed',
    variables: settings.environment.pass,
    readable: [
      ...Object.values(adapters).flatMap((adapter) => adapter.readableFolders?.(environment) ?? []),
      ...readableBySettings(services),
      ...ownProgram(services.entry),
    ],
  };
}

/** The `ravel` of a command has to start, to say what a session has in its place. */
function ownProgram({ args }: PlanServices['entry']): string[] {
  return args.slice(0, 1).flatMap((file) => [dirname(file), join(dirname(file), '..', 'package.json')]);
}

/** What the settings show to commands, with the home folder in the place of `~`. */
export function readableBySettings({
  settings,
  environment,
}: Pick<PlanServices, 'settings' | 'environment'>): string[] {
  const home = environment['HOME'];
  return settings.sandbox.readable.flatMap((path) => {
    if (!path.startsWith('~/')) return [path];
    return home === undefined ? [] : [join(home, path.slice(2))];
  });
}

/** Where a working tree of several has its configuration and hooks; in any other repository the same folder. */
async function commonDirectory(
  { disk }: Pick<PlanServices, 'disk'>,
  { gitDirectory }: RepositoryPlace,
): Promise<string> {
  const text = await readTextIfExists(disk, join(gitDirectory, 'commondir'), { bytesMax: pointerBytesMax });
  return text === undefined ? gitDirectory : resolve(gitDirectory, text.trim());
}

/** More of these below the top are left to the question before the next phase. */
const decidingPathsMax = 300;

/** What decides in the project what other programs run: commands read it and do not change it. */
async function decidingPaths(
  { disk, git }: Pick<PlanServices, 'disk' | 'git'>,
  project: string,
  root: string,
): Promise<string[]> {
  const names = (await disk.readDirectory(project)).map(({ name }) => name);
  const atTop = decidingFiles.flatMap((rule) => {
    const path = rule.replace(/\/$/, '');
    return path.includes('*') ? names.filter((name) => matchesWildcard(path, name)) : [path];
  });
  const listing = ['ls-files', '-z', '--cached', '--full-name', '--'];
  const { stdout } = await git.run(project, [...listing, ...decidingPathspecs]);
  const below = splitNul(stdout)
    .map((path) => join(root, decidingPart(path)))
    .filter((path) => isWithin(project, path));
  return [...atTop.map((path) => join(project, path)), ...[...new Set(below)].slice(0, decidingPathsMax)];
}

/** Of the path of a deciding file: it, or the folder that decides with all below it. */
function decidingPart(path: string): string {
  const segments = path.split('/');
  const length = segments.findIndex((_, at) =>
    decidingRules.some(({ names }) => endsWithNames(segments.slice(0, at + 1), names)),
  );
  return length === -1 ? path : segments.slice(0, length + 1).join('/');
}

/** More than a project has; a search of as many takes seconds. */
const entriesMax = 1_000_000;

/**
 * Why there is no sandbox that hides the secrets of a project, if they are not all known. A session can bring that about,
 * so it is a reason to run unconfined only on a machine that has no sandbox anyway.
 */
export async function secretsUnknown({ confiner }: Pick<PlanServices, 'confiner'>): Promise<Refused | Unconfined> {
  const machine = await confiner.probe();
  if (machine.state === 'unconfined') return machine;
  return {
    state: 'refused',
    reason: `Files with secrets cannot be hidden: its repository has more than ${entriesMax.toLocaleString('en')} files, or a folder that cannot be searched.`,
    fix: 'remove what tests and builds left in the project, and make its folders readable',
  };
}

/** The files of a folder that commands must not read; undefined if it cannot be searched to the end. */
export async function findHiddenFiles(
  { disk }: Pick<PlanServices, 'disk'>,
  folder: string,
): Promise<readonly string[] | undefined> {
  const found = await findSecretFiles(disk, folder, folder, entriesMax);
  // Git needs its configuration; what may show it is judged by the gate.
  return found === 'tooMany' ? undefined : found.filter((path) => !isGitConfigFile(path));
}

export async function trackedAmong(
  { git }: Pick<PlanServices, 'git'>,
  project: string,
  files: readonly string[],
): Promise<string[]> {
  if (files.length === 0) return [];
  const { stdout } = await git.run(project, ['--literal-pathspecs', 'ls-files', '-z', '--', ...files]);
  return splitNul(stdout).map((path) => join(project, path));
}
