import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import { sha256 } from '../base/files.ts';
import type { Logger } from '../base/log.ts';
import { nodeDisk } from '../base/nodeDisk.ts';
import type { CoreOptions } from '../core.ts';
import { createProcesses } from '../harness/processTable.ts';
import { type OwnerOptions, ownerOptions } from '../model/ownerOptions.ts';
import { vaultHidden } from '../model/personOnly.ts';
import type { SettingOverrides } from '../model/settingRows.ts';
import type { CorePort, CoreRole } from './ports.ts';

const clock = systemClock;
const disk = nodeDisk;
const processes = createProcesses(disk);
const answers = async (socketPath: string) => (await import('../server/listening.ts')).isListening(socketPath);

/** A copy learns nothing and tidies nothing up; what a killed rehearsal leaves ends by itself within seconds. */
const rehearsalOverrides: SettingOverrides = {
  'knowledge.ingestion': 'off',
  'retention.automatic': false,
  'watch.enabled': false,
  'vault.commit': 'never',
  'limits.orphan-minutes-after-crash': 0.1,
  'limits.orphan-minutes-after-stop': 0.1,
};

export interface CorePortOptions extends OwnerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** The command line's own file, which sessions start again for their tools. */
  readonly entryFile: string;
  /** The folder that holds `prompts/` and `package.json`. */
  readonly packageRoot: string;
  /** For sockets and for copies of rehearsals; the operating system's unless told. */
  readonly temporaryDirectory?: string;
}

/**
 * The core's side of a Node program: the ports of this machine, bound once for the command line and for programs that
 * use Ravel as a library. Each part is loaded when it is first used.
 */
export function createCorePort(options: CorePortOptions): CorePort {
  const { environment, log, entryFile, packageRoot, temporaryDirectory = tmpdir() } = options;
  const load = () => import('../core.ts');
  async function open(vault: string, role: CoreRole, own: Partial<CoreOptions> = {}) {
    const { createCore } = await load();
    const { VaultLayout } = await import('../vault/layout.ts');
    // Only an owner watches, and a copy has no one else who could change it.
    const watches = role === 'owner' && own.rehearsal === undefined;
    const watching = watches ? await import('../vault/watcher.ts') : undefined;
    const { chooseSocketPath } = await import('../server/socketPath.ts');
    const socketOf = (preferred: string, seed: string) =>
      chooseSocketPath(preferred, {
        platform: process.platform,
        temporaryDirectory,
        userId: userInfo().uid,
        hash: sha256(seed),
      });
    const socketPath = socketOf(new VaultLayout(vault).socket, vault);
    return createCore({
      vault,
      role,
      disk,
      clock,
      processes,
      environment,
      log,
      version: await readVersion(packageRoot),
      entry: entryOf(entryFile, process),
      packageRoot,
      socketPath,
      answers,
      chooseSocketPath: (preferred) => socketOf(preferred, preferred),
      person: userInfo().username,
      ...ownerOptions(options),
      ...defined({ watchTree: watching?.watchTree }),
      ...own,
    });
  }
  return {
    open: (vault, role) => open(vault, role),
    async prepareRehearsal(request, signal) {
      const { makeRehearsal } = await import('../rehearsal/makeRehearsal.ts');
      const { removeStaleRehearsals } = await import('../rehearsal/rehearsalFolder.ts');
      const ports = { disk, clock, processes, environment, temporary: temporaryDirectory };
      await removeStaleRehearsals(ports, ownTemporary(temporaryDirectory));
      const { environment: own, folder, ...made } = await makeRehearsal(ports, request, signal);
      const overrides = { ...options.overrides, ...rehearsalOverrides };
      return {
        ...made,
        open(withhold) {
          const rehearsal = { plan: made.plan, withhold };
          return open(made.vault, 'owner', { environment: own, overrides, rehearsal, verifiesItself: true });
        },
        async keep() {
          await folder.keep();
          return folder.path;
        },
        remove: () => folder.remove(),
      };
    },
    async findVault(flag) {
      const { findVault } = await import('../vault/discovery.ts');
      const workingDirectory = process.cwd();
      try {
        return await findVault({ ...defined({ flag }), environment, workingDirectory, disk });
      } catch (error) {
        const session = environment['RAVEL_SESSION'] ?? '';
        // A sandbox hides the vault, so the usual advice would lead nowhere.
        throw session !== '' && isRavelError(error, 'vault/none') ? vaultHidden(session, error) : error;
      }
    },
    async findOwner(vault) {
      // A command beside an owner only asks it, and starts in half the time without the core.
      const { findOwner } = await import('../vault/owner.ts');
      return findOwner({ vault, disk, processes, clock, answers });
    },
    async staleRehearsals() {
      const { findStaleRehearsals } = await import('../rehearsal/rehearsalFolder.ts');
      return (await findStaleRehearsals({ disk, clock, processes }, ownTemporary(temporaryDirectory))).map(
        ({ path }) => path,
      );
    },
    async removeStaleRehearsals() {
      const { removeStaleRehearsals } = await import('../rehearsal/rehearsalFolder.ts');
      return removeStaleRehearsals({ disk, clock, processes }, ownTemporary(temporaryDirectory));
    },
    async sessionAround(vault) {
      const { isSessionOf } = await import('./sessionsOfVault.ts');
      const { rehearsedVault } = await import('../model/rehearsal.ts');
      const isKnown = (session: string, rehearsed?: string) => isSessionOf(disk, vault, session, rehearsed);
      const named = environment['RAVEL_SESSION'] ?? '';
      if (await isKnown(named, environment[rehearsedVault])) return named;
      // Elsewhere only the environment tells.
      if (process.platform !== 'linux') return undefined;
      const { sessionAbove } = await import('../harness/sessionAbove.ts');
      const caller = await sessionAbove(disk, process.pid, isKnown);
      return caller.kind === 'session' ? caller.session : undefined;
    },
    async identify(vault, descriptor) {
      if (process.platform !== 'linux') return { kind: 'other' };
      if (descriptor === undefined) return { kind: 'gone' };
      const [{ isSessionOf }, { sessionAbove }, { socketPeer }] = await Promise.all([
        import('./sessionsOfVault.ts'),
        import('../harness/sessionAbove.ts'),
        import('../harness/socketPeer.ts'),
      ]);
      const pid = await socketPeer(descriptor, { clock });
      if (pid === undefined) return { kind: 'other' };
      return sessionAbove(disk, pid, (session, rehearsed) => isSessionOf(disk, vault, session, rehearsed));
    },
    async createVault(root, name, experts = []) {
      const { createVault, checkShippedExperts } = await load();
      if (experts.length > 0) await checkShippedExperts(disk, packageRoot, experts);
      const version = await readVersion(packageRoot);
      await createVault({ root, name, disk, clock, environment, version });
    },
    async git(directory, args) {
      const { createGit, gitText: readText } = await import('../git/git.ts');
      return readText(createGit({ environment, clock, disk }), directory, args);
    },
  };
}

function ownTemporary(temporary: string): { readonly temporary: string; readonly user: number | undefined } {
  return { temporary, user: process.getuid?.() };
}

/**
 * How to start the command line again with the program that runs this. If that is an editor's, it is a Node only when
 * it is told to be.
 */
export function entryOf(
  entryFile: string,
  {
    execPath,
    versions,
  }: { readonly execPath: string; readonly versions: Readonly<Record<string, string | undefined>> },
) {
  const isEditor = versions['electron'] !== undefined;
  return { program: execPath, args: [entryFile], ...(isEditor && { environment: { ELECTRON_RUN_AS_NODE: '1' } }) };
}

/** The version in the package's own `package.json`. */
export async function readVersion(packageRoot: string): Promise<string> {
  const text = (await nodeDisk.readFile(join(packageRoot, 'package.json'))).toString('utf8');
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}
