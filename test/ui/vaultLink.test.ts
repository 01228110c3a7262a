import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { failure } from '../../src/model/codes.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Api } from '../../src/model/protocol.ts';
import { type LinkState, type OpenedVault, type VaultCloseReason, VaultLink } from '../../src/ui/vaultLink.ts';
import { createFakeApi } from '../support/fakeApi.ts';
import { WatchedClock } from '../support/watchedClock.ts';

const gone = failure('server/gone', 'vault', 'Nobody answers.');
const owned = failure('vault/owned', 'vault', 'Somebody else was faster.');
const noOwner = failure('cli/noOwner', 'vault', 'Nothing runs.');
const broken = failure('vault/badSettings', 'vault', 'A bad value.');

interface FakeVault extends OpenedVault {
  readonly api: Api & { emit(event: RavelEvent): void };
  close(reason?: VaultCloseReason): void;
  drop(): void;
  readonly stops: number;
}

function fakeVault(state: OpenedVault['state'] = { kind: 'owner' }): FakeVault {
  let stops = 0;
  let close: ((reason: VaultCloseReason) => void) | undefined;
  let drop: (() => void) | undefined;
  return {
    api: createFakeApi({ outline: () => ({ plans: [], diagnostics: [] }) }),
    state,
    onDidClose: (listener) => {
      close = listener;
    },
    onDidDrop: (listener) => {
      drop = listener;
    },
    stop: async () => {
      stops++;
    },
    close: (reason = 'gone') => close?.(reason),
    drop: () => drop?.(),
    get stops() {
      return stops;
    },
  };
}

/** A link whose tries have these outcomes in turn; the last outcome repeats. */
function world(...outcomes: (OpenedVault | Error | Promise<OpenedVault>)[]) {
  const clock = new WatchedClock();
  const states: LinkState['kind'][] = [];
  const tries: boolean[] = [];
  const opening = createDeferred<void>();
  let opens = 0;
  const link = new VaultLink({
    vault: '/vault',
    open: async (_vault, { mayOwn }) => {
      tries.push(mayOwn);
      opening.resolve();
      const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0];
      if (outcome === undefined || outcome instanceof Error) throw outcome;
      return outcome;
    },
    clock,
    random: () => 0.5,
    onError: (error) => {
      throw error;
    },
  });
  link.onDidChangeState((state) => states.push(state.kind));
  link.onDidOpen(() => {
    opens++;
  });
  return { link, clock, states, tries, opens: () => opens, opening: opening.promise, until, pass };

  /** Resolves once the link is in this state, at once if it is already. */
  function until(kind: LinkState['kind']): Promise<void> {
    const reached = createDeferred<void>();
    if (link.state.kind === kind) return Promise.resolve();
    const subscription = link.onDidChangeState((state) => {
      if (state.kind !== kind) return;
      subscription.dispose();
      reached.resolve();
    });
    return reached.promise;
  }

  /** Advances the clock once the link waits for its next try. */
  async function pass(ms: number): Promise<void> {
    await clock.untilScheduled();
    clock.advance(ms);
  }
}

const ask = (link: VaultLink, signal?: AbortSignal) => link.api.request('outline', {}, signal);
const noPlans = { plans: [], diagnostics: [] };

describe('a vault link that opens', () => {
  test('announces it and answers the requests that waited', async () => {
    const { link, states, opens } = world(fakeVault());
    const asked = ask(link);
    await link.connect();
    expect(await asked).toEqual(noPlans);
    expect(states).toEqual(['connecting', 'owner']);
    expect(opens()).toBe(1);
  });

  test('opens the vault once, even if asked twice', async () => {
    const { link, tries } = world(fakeVault());
    await link.connect();
    await link.connect();
    expect(tries).toEqual([true]);
  });

  test('passes events on', async () => {
    const vault = fakeVault();
    const { link } = world(vault);
    const events: RavelEvent[] = [];
    link.api.onEvent((event) => events.push(event));
    await link.connect();
    const event = { at: '2026-01-02T03:04:05Z', actor: 'vault', type: 'vault.changed', files: [] } as const;
    vault.api.emit(event);
    expect(events).toEqual([event]);
  });

  test('asks its views to read again if events were lost', async () => {
    const vault = fakeVault({ kind: 'client', pid: 1, external: false });
    const { link, opens } = world(vault);
    await link.connect();
    vault.drop();
    expect(opens()).toBe(2);
  });
});

describe('a vault link whose owner goes away', () => {
  test('follows the next owner, and its views read again', async () => {
    const first = fakeVault({ kind: 'client', pid: 1, external: false });
    const { link, clock, states, opens, until, pass } = world(first, gone, owned, fakeVault());
    await link.connect();
    first.close();
    const asked = ask(link);
    await pass(25);
    await pass(50);
    await until('owner');
    expect(await asked).toEqual(noPlans);
    expect(states).toEqual(['connecting', 'client', 'connecting', 'owner']);
    expect({ opens: opens(), stops: first.stops, timers: clock.scheduled }).toEqual({ opens: 2, stops: 1, timers: 0 });
  });

  const leaving = (name: 'outline' | 'stop', owner: () => FakeVault) => ({
    ...fakeVault(),
    api: createFakeApi({
      [name]: () => {
        // A request hears of it first, and the link a moment later.
        queueMicrotask(() => queueMicrotask(() => owner().close()));
        throw gone;
      },
    }),
  });

  test('asks the next one what was being looked at', async () => {
    const first: FakeVault = leaving('outline', () => first);
    const { link } = world(first, fakeVault());
    await link.connect();
    expect(await ask(link)).toEqual(noPlans);
  });

  test('repeats nothing that acts', async () => {
    const first: FakeVault = leaving('stop', () => first);
    const { link } = world(first, fakeVault());
    await link.connect();
    await expect(link.api.request('stop', { plan: 'demo/project-root' })).rejects.toBe(gone);
  });

  test('asks no more than four in turn', async () => {
    const owners = Array.from({ length: 6 }, (_, n): FakeVault => leaving('outline', () => owners[n] as FakeVault));
    const { link } = world(...owners);
    await link.connect();
    await expect(ask(link)).rejects.toBe(gone);
    expect(owners.map(({ api }) => (api as ReturnType<typeof createFakeApi>).requested.length)).toEqual([
      1, 1, 1, 1, 0, 0,
    ]);
  });

  test('ignores further events of the former owner', async () => {
    const first = fakeVault({ kind: 'client', pid: 1, external: false });
    const { link, until } = world(first, fakeVault());
    const events: RavelEvent[] = [];
    link.api.onEvent((event) => events.push(event));
    await link.connect();
    first.close();
    await until('owner');
    first.api.emit({ at: '2026-01-02T03:04:05Z', actor: 'vault', type: 'vault.changed', files: [] });
    first.close();
    expect({ events, state: link.state.kind }).toEqual({ events: [], state: 'owner' });
  });

  test('shows the failure after a while and keeps looking', async () => {
    const { link, until, pass, states } = world(...Array.from({ length: 25 }, () => gone), fakeVault());
    const connected = link.connect();
    for (let n = 0; n < 24; n++) await pass(500);
    await connected;
    expect(states).toContain('failed');
    await expect(ask(link)).rejects.toBe(gone);
    await pass(500);
    await until('owner');
    expect(await ask(link)).toEqual(noPlans);
  });
});

describe('several windows that lost the same owner', () => {
  test('agree on one new owner and are its clients', async () => {
    const clock = new WatchedClock();
    let owner: FakeVault | undefined;
    const open = async () => {
      await Promise.resolve();
      if (owner !== undefined) return fakeVault({ kind: 'client', pid: 1, external: false });
      owner = fakeVault();
      return owner;
    };
    const links = [0.1, 0.5, 0.9].map(
      (random) => new VaultLink({ vault: '/vault', open, clock, random: () => random, onError: () => undefined }),
    );
    await Promise.all(links.map((link) => link.connect()));
    expect(links.map((link) => link.state.kind).sort()).toEqual(['client', 'client', 'owner']);
  });
});

describe('a vault link with a failure', () => {
  test('a vault link with a failure that needs a person shows it, rejects requests and does not retry', async () => {
    const { link, clock, states } = world(broken, fakeVault());
    const asked = ask(link);
    const connected = link.connect();
    await expect(asked).rejects.toBe(broken);
    await connected;
    await expect(ask(link)).rejects.toBe(broken);
    expect({ states, timers: clock.scheduled }).toEqual({ states: ['connecting', 'failed'], timers: 0 });
    await link.connect();
    expect(await ask(link)).toEqual(noPlans);
  });

  test('for lack of a daemon shows it and finds a daemon started later', async () => {
    const { link, until, pass } = world(noOwner, noOwner, fakeVault({ kind: 'client', pid: 7, external: true }));
    await link.connect();
    expect(link.state).toEqual({ kind: 'failed', error: noOwner });
    await pass(2000);
    await pass(2000);
    await until('client');
    expect(await ask(link)).toEqual(noPlans);
  });
});

describe('an owner that was dismissed', () => {
  test('releases the vault, does not take it again, and follows the next owner', async () => {
    const own = fakeVault();
    const { link, tries, until, pass } = world(own, noOwner, fakeVault({ kind: 'client', pid: 7, external: false }));
    await link.connect();
    own.close('dismissed');
    await until('failed');
    expect({ stops: own.stops, state: link.state }).toMatchObject({
      stops: 1,
      state: { kind: 'failed', error: { code: 'ui/dismissed' } },
    });
    await pass(2000);
    await until('client');
    expect(tries).toEqual([true, false, false]);
  });

  test('takes the vault again when its person connects', async () => {
    const own = fakeVault();
    const { link, clock, tries } = world(own, noOwner, fakeVault());
    await link.connect();
    own.close('dismissed');
    await clock.untilScheduled();
    await link.connect();
    expect({ tries, state: link.state.kind }).toEqual({ tries: [true, false, true], state: 'owner' });
  });
});

describe('a vault link after a change of trust', () => {
  test('releases the vault before it reopens it', async () => {
    const reader = fakeVault({ kind: 'readOnly' });
    const { link, states } = world(reader, fakeVault());
    await link.connect();
    await link.reopen();
    expect({ states, stops: reader.stops }).toEqual({
      states: ['connecting', 'readOnly', 'connecting', 'owner'],
      stops: 1,
    });
  });
});

describe('a stopped vault link', () => {
  test('releases its vault and rejects requests', async () => {
    const vault = fakeVault();
    const { link, states } = world(vault);
    await link.connect();
    await link.stop();
    await link.connect();
    expect({ states, stops: vault.stops }).toEqual({ states: ['connecting', 'owner', 'closed'], stops: 1 });
    await expect(ask(link)).rejects.toMatchObject({ code: 'run/stopped' });
  });

  test('releases a vault that opens only afterwards', async () => {
    const opening = createDeferred<OpenedVault>();
    const vault = fakeVault();
    const { link, opening: tried } = world(opening.promise);
    const connected = link.connect();
    const asked = ask(link);
    await tried;
    const stopped = link.stop();
    opening.resolve(vault);
    await expect(asked).rejects.toMatchObject({ code: 'run/stopped' });
    await stopped;
    await connected;
    expect({ stops: vault.stops, state: link.state.kind }).toEqual({ stops: 1, state: 'closed' });
  });

  test('leaves no timer for a retry', async () => {
    const { link, clock } = world(gone);
    link.connect().catch(() => undefined);
    await clock.untilScheduled();
    await link.stop();
    expect(clock.scheduled).toBe(0);
  });
});

test('a request that waits for a vault can be aborted', async () => {
  const { link } = world(fakeVault());
  const giveUp = new AbortController();
  const asked = ask(link, giveUp.signal);
  giveUp.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});
