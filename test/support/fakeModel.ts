import { systemClock } from '../../src/base/clock.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import type { OutlineRow, PlanRow, PlanStatus } from '../../src/model/requests/plans.ts';
import { Observable } from '../../src/ui/observable.ts';
import { buildOutline, emptyOutline, type PlanOutline, withRow } from '../../src/ui/planOutline.ts';
import { VaultLink } from '../../src/ui/vaultLink.ts';
import { type VaultChange, VaultModel } from '../../src/ui/vaultModel.ts';
import { Collector, createFakeApi, type FakeApi, type FakeHandlers } from './fakeApi.ts';
import { ManualClock } from './manualClock.ts';

/** Ids as a test writes them: `shop` is the root plan of a project, `shop/cart` a plan below it. */
export function id(name: string): QualifiedId {
  const [project = '', ...below] = name.split('/');
  return toQualifiedId([project, 'project-root', ...below].join('/'));
}

export function outlineOf(...names: readonly string[]): OutlineRow[] {
  return names.map((name) => {
    const above = name.split('/').slice(0, -1).join('/');
    return {
      plan: id(name),
      description: `About ${name}`,
      phase: 'work',
      ...(above !== '' && { parent: id(above) }),
    };
  });
}

export function rowOf(name: string, more: Partial<PlanRow> = {}): PlanRow {
  return {
    plan: id(name),
    description: `About ${name}`,
    phase: 'work',
    counts: { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 },
    faults: [],
    ...more,
  };
}

export function statusOf(name: string, more: Partial<PlanStatus> = {}): PlanStatus {
  return {
    ...rowOf(name),
    directory: `/projects/${name}`,
    project: '/projects',
    children: [],
    memoryEntries: 0,
    memoryWords: 0,
    ...more,
  };
}

/** A outline whose rows are all read. */
export function outlineWith(rows: Readonly<Record<string, Partial<PlanRow>>>): PlanOutline {
  const grown = buildOutline(outlineOf(...Object.keys(rows)), emptyOutline);
  const nodes = new Map(grown.nodes);
  for (const [name, more] of Object.entries(rows)) {
    const node = nodes.get(id(name));
    if (node !== undefined) nodes.set(id(name), withRow(node, rowOf(name, more)));
  }
  return { ...grown, nodes };
}

export interface ModelWorld {
  readonly model: VaultModel;
  readonly api: FakeApi;
  readonly clock: ManualClock;
  readonly changes: Collector<VaultChange>;
  readonly errors: unknown[];
  readonly link: VaultLink;
  /** Lets the coming tick pass, and waits for what it tells. */
  tick(): Promise<VaultChange>;
}

/** A model of a vault with these plans, read to its end; `handlers` answer in place of the usual ones. */
export async function makeModel(names: readonly string[], handlers: FakeHandlers = {}): Promise<ModelWorld> {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const api = createFakeApi({
    outline: () => ({ plans: outlineOf(...names), diagnostics: [] }),
    list: () => ({ plans: names.map((name) => rowOf(name)), diagnostics: [] }),
    status: ({ plan }) => ({ ...statusOf('shop'), plan: toQualifiedId(plan) }),
    approvals: () => ({ approvals: [], diagnostics: [] }),
    dead_letters: () => ({ deadLetters: [] }),
    questions: () => ({ questions: [], total: 0, diagnostics: [] }),
    experts: () => ({ experts: [], diagnostics: [] }),
    actors: () => ({ actors: [] }),
    spending: () => ({ days: [], reservedUsd: 0, vaultUsdPerDay: 0, planUsdPerDay: 0, until: '' }),
    ...handlers,
  });
  const link = new VaultLink({
    vault: '/vault',
    open: async () => ({
      api,
      state: { kind: 'owner' },
      onDidClose: () => undefined,
      onDidDrop: () => undefined,
      stop: async () => undefined,
    }),
    clock: systemClock,
    random: () => 0,
    onError,
  });
  const model = new VaultModel({ link: new Observable<VaultLink | undefined>(link, onError), clock, onError });
  const changes = new Collector<VaultChange>();
  const ready = new Collector<true>();
  model.onDidChange((change) => {
    changes.add(change);
    if (model.stage === 'ready') ready.add(true);
  });
  await link.connect();
  await ready.waitFor(1);
  return {
    ...{ model, api, clock, changes, errors, link },
    async tick() {
      const { length } = changes.values;
      clock.advance(100);
      const change = (await changes.waitFor(length + 1))[length];
      if (change === undefined) throw new Error('nothing changed');
      return change;
    },
  };
}
