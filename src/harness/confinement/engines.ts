import { delimiter, isAbsolute, join } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { exists } from '../../base/files.ts';
import { isWithin } from '../../base/paths.ts';
import type { Unconfined } from '../../model/confinement.ts';
import { bubblewrapArguments, bubblewrapProblem } from './bubblewrap.ts';
import type { SandboxLayout } from './sandboxLayout.ts';
import { seatbeltProfile } from './seatbelt.ts';

/** A program that keeps commands in a sandbox. */
export interface Engine {
  readonly program: string;
  /** Its name among programs, and what to do if it is missing. */
  readonly missing: Unconfined;
  readonly arguments: (layout: SandboxLayout) => readonly string[];
  /** Shows one file in the place of another; nothing if the arguments say it already. */
  readonly cover: (shown: string, path: string) => readonly string[];
  /** By which names commands have their home and their temporary files. */
  readonly folders: (layout: SandboxLayout) => { readonly home: string; readonly temporary: string };
  /** Why it did not start, by what it said. */
  readonly explain: (disk: ReadingDisk, output: string) => Promise<Unconfined>;
}

const bubblewrap: Engine = {
  program: 'bwrap',
  missing: {
    state: 'unconfined',
    reason: 'bubblewrap is not installed.',
    fix: '`sudo apt install bubblewrap`, or the package of that name of your system',
  },
  arguments: bubblewrapArguments,
  cover: (shown, path) => ['--ro-bind', shown, path],
  folders: ({ home }) => ({ home, temporary: '/tmp' }),
  explain: explainBubblewrap,
};

const seatbelt: Engine = {
  program: 'sandbox-exec',
  missing: { state: 'unconfined', reason: 'The system has no sandbox-exec.' },
  arguments: (layout) => ['-p', seatbeltProfile(layout)],
  cover: () => [],
  // Nothing can stand in the place of another folder there, so that these are named by where they are.
  folders: ({ privateHome, temporary }) => ({ home: privateHome, temporary }),
  explain: (_disk, output) =>
    Promise.resolve({ state: 'unconfined', reason: `sandbox-exec does not start: ${lastLine(output)}` }),
};

/** The engine of an operating system; none for the others. */
export function engineOf(platform: NodeJS.Platform): Engine | undefined {
  return ({ linux: bubblewrap, darwin: seatbelt } as Partial<Record<NodeJS.Platform, Engine>>)[platform];
}

/** The first program of this name on PATH that is not below `outside`, which commands may change. */
export async function locateProgram(
  disk: ReadingDisk,
  name: string,
  { path, outside }: { readonly path: string; readonly outside: readonly string[] },
): Promise<string | undefined> {
  const folders = [...path.split(delimiter), '/usr/local/bin', '/usr/bin', '/bin'];
  for (const folder of folders) {
    if (!isAbsolute(folder) || outside.some((one) => isWithin(one, folder))) continue;
    const program = join(folder, name);
    const stat = await disk.stat(program).catch(() => undefined);
    if (stat?.kind === 'file' && (stat.mode & 0o111) !== 0) return program;
  }
  return undefined;
}

/** Files that say that this is a container, by the programs that make them. */
const containerMarks = ['/.dockerenv', '/run/.containerenv'];

async function explainBubblewrap(disk: ReadingDisk, output: string): Promise<Unconfined> {
  const problem = bubblewrapProblem(output);
  if (problem === 'other') return { state: 'unconfined', reason: `bubblewrap does not start: ${lastLine(output)}` };
  const inContainer = (await Promise.all(containerMarks.map((path) => exists(disk, path)))).includes(true);
  if (inContainer) {
    return {
      state: 'unconfined',
      reason: 'This container does not let bubblewrap make a sandbox.',
      fix: '`docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`',
    };
  }
  if (problem === 'proc') {
    return { state: 'unconfined', reason: `bubblewrap cannot show a process list of its own: ${lastLine(output)}` };
  }
  return {
    state: 'unconfined',
    reason: 'The system does not let bubblewrap make user namespaces.',
    fix: await namespaceFix(disk),
  };
}

/** Which of the switches for user namespaces is off. */
async function namespaceFix(disk: ReadingDisk): Promise<string> {
  const setting = async (name: string) => {
    const text = await disk.readFile(`/proc/sys/${name.replaceAll('.', '/')}`).then(String, () => '');
    return text.trim();
  };
  if ((await setting('kernel.apparmor_restrict_unprivileged_userns')) === '1') {
    return '`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`';
  }
  if ((await setting('kernel.unprivileged_userns_clone')) === '0') {
    return '`sudo sysctl kernel.unprivileged_userns_clone=1`';
  }
  return '`sudo sysctl user.max_user_namespaces=15000`';
}

function lastLine(output: string): string {
  const line = output.trim().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? 'it says nothing.' : line.slice(0, 300);
}
