import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Api } from '../../src/model/protocol.ts';
import { decide, makeConflictWorld, onlyApproval, runIntoConflict } from '../support/approvalWorld.ts';
import { type DiskOperationName, diskChanges, systemError, traceDisk } from '../support/tracingDisk.ts';
import { startCore, type World } from '../support/world.ts';

/** A request that changes the vault, and how to tell that it was carried out. */
interface Door {
  readonly name: string;
  act(api: Api): Promise<unknown>;
  isDone(api: Api): Promise<boolean>;
  /** How to go on after a failure, if not by the same request. */
  again?(api: Api): Promise<unknown>;
}

const plans = async (api: Api) => (await api.request('list', {})).plans.map(({ plan }): string => plan);

/** Every request that changes something, each on what the one before it left. */
function doorsOf(world: World): readonly Door[] {
  const { plan } = world;
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `${plan}/${name}`) as [string, string, string];
  const other = join(world.root, 'other');
  const has = (id: string) => async (api: Api) => (await plans(api)).includes(id);
  const backlogHas = (id: string, text: string) => async (api: Api) => {
    const { result } = await api.request('state', { plan: id, verb: 'backlog/list', args: {} });
    return JSON.stringify(result).includes(text);
  };
  const archiveOf = async (api: Api, of: string) =>
    (await api.request('archives', {})).archives.find((row) => row.of === of)?.archive ?? '';
  const isOpen = async (api: Api) => (await api.request('status', { plan: c })).running?.manual === true;
  return [
    { name: 'create', act: (api) => api.request('create', { plan: a, description: 'Minds the cats' }), isDone: has(a) },
    {
      name: 'state',
      act: (api) => api.request('state', { plan: a, verb: 'backlog/add', args: { title: 'Purr', category: 'core' } }),
      isDone: backlogHas(a, 'Purr'),
    },
    { name: 'rename', act: (api) => api.request('rename', { plan: a, to: b }), isDone: has(b) },
    {
      name: 'import',
      act: (api) =>
        api.request('import', { directory: join(world.root, 'old'), plan: c, description: 'Was another program’s' }),
      isDone: has(c),
    },
    {
      name: 'remove',
      act: (api) => api.request('remove', { plan: b }),
      isDone: async (api) => !(await has(b)(api)) && (await archiveOf(api, b)) !== '',
    },
    {
      name: 'restore',
      act: async (api) => api.request('restore', { archive: await archiveOf(api, b) }),
      isDone: has(b),
    },
    { name: 'begin_manual_run', act: (api) => api.request('begin_manual_run', { plan: c }), isDone: isOpen },
    {
      name: 'drop_manual_run',
      act: async (api) => {
        const { running } = await api.request('status', { plan: c });
        return api.request('drop_manual_run', { plan: c, session: running?.session ?? '' });
      },
      again: (api) => api.request('dismiss', { plan: c }),
      isDone: async (api) => !(await isOpen(api)),
    },
    {
      name: 'adopt',
      act: (api) => api.request('adopt', { project: other, description: 'The other one' }),
      isDone: has('other/project-root'),
    },
    {
      name: 'rename_project',
      act: (api) => api.request('rename_project', { project: 'other', to: 'third' }),
      isDone: has('third/project-root'),
    },
    {
      name: 'remove_project',
      act: (api) => api.request('remove_project', { project: 'third' }),
      isDone: async (api) => !(await has('third/project-root')(api)),
    },
    {
      name: 'decide',
      act: async (api) => decide(api, await onlyApproval(api), 'accept', { option: 'session' }),
      // A decision that is on disk is carried out by the next owner, or by a retry, which may have to ask anew.
      again: async (api) => {
        const isAsked = async () => (await api.request('approvals', {})).approvals.length > 0;
        if (!(await isAsked())) await api.request('retry', { plan, harness: 'scripted', scenario: world.scenario });
        if (await isAsked()) await decide(api, await onlyApproval(api), 'accept', { option: 'session' });
      },
      isDone: async (api) => {
        const { phase, waiting, interrupted, running } = await api.request('status', { plan });
        return phase === 'triage' && waiting === undefined && interrupted === undefined && running === undefined;
      },
    },
  ];
}

const oldPlan = { 'phase.md': 'triage\n', 'backlog.yaml': 'tasks: []\n', 'memory.yaml': 'entries: []\n' };

/** A full disk still renames, cuts and removes. */
const refused: Readonly<Record<string, ReadonlySet<DiskOperationName>>> = {
  EACCES: diskChanges,
  EROFS: diskChanges,
  ENOSPC: new Set(['file.write', 'makeDirectory', 'symlink']),
};

/** A disk that refuses from its n-th change on, while it is told to. */
function refusingDisk() {
  const state = { code: '', left: Number.POSITIVE_INFINITY };
  const disk = traceDisk(nodeDisk, (_n, name) => {
    if (state.code === '' || !refused[state.code]?.has(name)) return;
    state.left--;
    if (state.left < 0) throw systemError(state.code);
  });
  return { disk, state };
}

const codes: Readonly<Record<string, string>> = { EACCES: 'disk/denied', EROFS: 'disk/denied', ENOSPC: 'disk/full' };

test.each([
  ['EACCES', 0],
  ['EROFS', 1],
  ['ENOSPC', 2],
  ['ENOSPC', 5],
  ['ENOSPC', 9],
])(
  'with %s after %i changes, each request that writes succeeds or reports it, and succeeds once the disk is well',
  {
    timeout: 120_000,
  },
  async (code, after) => {
    const world = await makeConflictWorld();
    for (const [name, text] of Object.entries(oldPlan)) {
      mkdirSync(join(world.root, 'old'), { recursive: true });
      writeFileSync(join(world.root, 'old', name), text);
    }
    execFileSync('git', ['init', '--quiet', join(world.root, 'other')]);
    const { disk, state } = refusingDisk();
    const { core } = await startCore(world, { disk });
    await runIntoConflict(core, world);
    for (const door of doorsOf(world)) {
      Object.assign(state, { code, left: after });
      const outcome = await outcomeOf(() => door.act(core.api));
      state.code = '';
      expect([door.name, outcome]).toEqual([
        door.name,
        expect.stringMatching(`^(done|${codes[code]}|move/unfinished)$`),
      ]);
      if (outcome === 'done') continue;
      // A change that had come far enough is finished at the next look, and the request is refused as done.
      await outcomeOf(() => (door.again ?? door.act)(core.api));
      expect([door.name, await door.isDone(core.api)]).toEqual([door.name, true]);
    }
    const { diagnostics } = await core.api.request('verify', {});
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(existsSync(join(world.vault, 'runtime/move.json'))).toBe(false);
  },
);

/** `done` or the code of the error; an error that is not a RavelError fails the test. */
async function outcomeOf(operation: () => Promise<unknown>): Promise<string> {
  try {
    await operation();
    return 'done';
  } catch (error) {
    if (isRavelError(error)) return error.code;
    throw error;
  }
}
