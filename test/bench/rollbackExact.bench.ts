import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ifThere } from '../../src/base/diskErrors.ts';
import type { Core } from '../../src/core.ts';
import { snapshotFiles } from '../../src/housekeeping/snapshots/snapshots.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { openCore } from '../support/openCore.ts';
import { randomState, type StateTexts } from '../support/randomState.ts';
import { createRandom } from '../support/seededRandom.ts';
import { type Bench, type BenchRow, sized } from './bench.ts';

const states = sized(1_000, 15);
const seed = 20_260_102;
const plan = 'p0/project-root' as QualifiedId;

interface Found {
  /** Rollbacks done: to a state, and from it to the state before. */
  rollbacks: number;
  /** Files compared. */
  compared: number;
  different: string[];
}

/** Each of many random states of a plan comes back byte for byte, and so does the state before it. */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const vault = writeLargeVault(root, { plans: 1, projects: 1 });
    const project = join(root, 'code-0');
    const environment = { PATH: process.env['PATH'] ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: project, env: environment, encoding: 'utf8' }).trim();
    await writeFile(join(root, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n[gc]\n\tauto = 0\n');
    git('init', '--quiet', '--initial-branch=main');
    const folder = join(project, 'ravel/project-root');
    const made = await makeStates(folder, git);
    const core = await openCore({ vault, environment }, { packageRoot: process.cwd(), sessions: 'processes' });
    try {
      return toRow(await goThere(core, folder, made));
    } finally {
      await core.stop();
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface MadeState {
  readonly commit: string;
  readonly bytes: ReadonlyMap<string, string>;
}

/** In the order of their commits. */
async function makeStates(folder: string, git: (...args: string[]) => string): Promise<MadeState[]> {
  const random = createRandom(seed);
  const made: MadeState[] = [];
  for (let n = 0; n < states; n++) {
    await writeState(folder, randomState(random, n));
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', `--message=State ${n}`);
    made.push({ commit: git('rev-parse', 'HEAD'), bytes: await readState(folder) });
  }
  return made;
}

/** Goes to every state in a random order, and from each to the state before and forward again. */
async function goThere(core: Core, folder: string, made: readonly MadeState[]): Promise<Found> {
  const random = createRandom(seed + 1);
  const found: Found = { rollbacks: 0, compared: 0, different: [] };
  const goTo = async (snapshot: string, wanted: ReadonlyMap<string, string>, name: string) => {
    const done = await core.api.request('roll_back', { plan, snapshot });
    found.rollbacks++;
    compare(found, await readState(folder), wanted, name);
    return done;
  };
  const left = made.map((state, n) => ({ ...state, n }));
  while (left.length > 0) {
    const [state] = left.splice(random(left.length), 1);
    if (state === undefined) break;
    const before = await readState(folder);
    const done = await goTo(state.commit, state.bytes, `state ${state.n}`);
    if (done.before === undefined) continue;
    await goTo(done.before, before, `the state before ${state.n}`);
    await goTo(done.snapshot, state.bytes, `state ${state.n} again`);
  }
  return found;
}

function compare(
  found: Found,
  now: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
  name: string,
): void {
  for (const file of snapshotFiles) {
    found.compared++;
    if (now.get(file) !== wanted.get(file)) found.different.push(`${file} of ${name}`);
  }
}

async function writeState(folder: string, texts: StateTexts): Promise<void> {
  for (const [file, text] of Object.entries(texts)) {
    if (text === undefined) await rm(join(folder, file), { force: true });
    else await writeFile(join(folder, file), text);
  }
}

/** The bytes of each file that is there, as latin1. */
async function readState(folder: string): Promise<ReadonlyMap<string, string>> {
  const bytes = new Map<string, string>();
  for (const file of snapshotFiles) {
    const path = join(folder, file);
    const text = await ifThere(path, () => readFile(path, 'latin1'));
    if (text !== undefined) bytes.set(file, text);
  }
  return bytes;
}

function toRow({ rollbacks, compared, different }: Found): BenchRow {
  const examples = different.length === 0 ? '' : `, first ${different[0]}`;
  return {
    id: 'rollback-exact',
    value: different.length,
    unit: 'differences',
    goal: '0 of every state and of the state before it',
    ok: different.length === 0 && rollbacks >= states,
    limit: 0,
    note: `${states} random states (seed ${seed}): ${rollbacks} rollbacks, ${compared} files compared byte for byte${examples}`,
  };
}

export const benches: readonly Bench[] = [{ id: 'rollback-exact', run }];
