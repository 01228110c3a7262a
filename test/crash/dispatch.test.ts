import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { RequestParams } from '../../src/model/protocol.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { backlogIn } from '../support/backlogs.ts';
import { copyWorld } from '../support/copyWorld.ts';
import { removeLocks } from '../support/locks.ts';
import { openCore } from '../support/openCore.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { commented, makeSuggestionWorld, payments } from '../support/suggestionWorld.ts';
import { diskChanges, traceDisk } from '../support/tracingDisk.ts';

type Place = Awaited<ReturnType<typeof copyWorld>>;

const newUlid = createUlids(systemClock);

/** What stands anywhere about a message: with its sender, with its receiver, and with nobody yet. */
function tracesOf({ vault, planDirectory }: Place, id: Ulid) {
  const history = join(vault, 'runtime/routing-history.jsonl');
  const sending = join(vault, 'runtime/sending');
  return {
    received: (backlogIn(join(planDirectory, 'payments')).received ?? []).filter((one) => one.id === id).length,
    sent: (backlogIn(planDirectory).dispatched ?? []).filter((one) => one.id === id).map(({ outcome }) => outcome),
    isDecided: existsSync(history) && readFileSync(history, 'utf8').includes(`"message":"${id}"`),
    isSending: existsSync(sending) && readdirSync(sending).includes(`${id}.json`),
  };
}

/**
 * Dispatches in a core of this process that dies before the n-th change of the disk; the message counts as arrived once
 * its receiver has handled it. Returns whether the core came to its end.
 */
async function dispatchUntil(place: Place, params: RequestParams<'dispatch'>, cut: number): Promise<boolean> {
  const dead = createDeferred<false>();
  let changes = Number.NEGATIVE_INFINITY;
  const disk = traceDisk(nodeDisk, async (_n, name) => {
    if (changes < cut && diskChanges.has(name)) changes++;
    if (changes < cut) return;
    dead.resolve(false);
    // Nobody hears of a process that is gone.
    await new Promise(() => undefined);
  });
  const core = await openCore(place, { disk });
  const handled = nextEvent(core, 'message.handled', (event) => event.message === params.id);
  changes = 0;
  const arrived = Promise.all([core.api.request('dispatch', params), handled]).then(async () => {
    await core.stop();
    return true;
  });
  return Promise.race([arrived, dead.promise]);
}

/** The next owner is another process; the locks of this one would be taken for held. */
async function letGo({ vault }: Place): Promise<void> {
  const layout = new VaultLayout(vault);
  await removeLocks(layout);
  const locks = readdirSync(layout.runtime).filter((name) => name.startsWith(basename(layout.ownerLock)));
  for (const name of locks) await rm(join(layout.runtime, name));
}

/** So many turns are long, even on a busy machine. */
const turnsMax = 200_000;

test.each<[string, (plan: string) => Omit<RequestParams<'dispatch'>, 'id'>]>([
  [
    'for a plan, to one that it names',
    (from) => ({ from, 'target-plan': payments, reason: 'Theirs', body: 'Pay the invoice.' }),
  ],
  ['by a person, to whom a rule says', () => ({ target: 'auto', reason: 'Theirs', body: 'Pay the invoice.' })],
])(
  'a dispatch %s, killed before each change of the disk, is received once, or nobody was told of it',
  {
    timeout: 240_000,
  },
  async (_name, paramsFor) => {
    const template = await makeSuggestionWorld({ rules: commented });
    const params = { ...paramsFor(template.plan), id: newUlid() as Ulid };
    const outcome = params.from === undefined ? [] : [`accepted by ${payments}`];
    const whole = { received: 1, sent: outcome, isDecided: true, isSending: false };
    const nothing = { received: 0, sent: [], isDecided: false, isSending: false };
    let deaths = 0;
    const ends: string[] = [];
    for (let cut = 1, isOver = false; !isOver; cut++) {
      const place = await copyWorld(template, `cut-${cut}`);
      isOver = await dispatchUntil(place, params, cut);
      if (!isOver) deaths++;
      await letGo(place);
      const { isDecided, isSending, sent } = tracesOf(place, params.id);
      const isTaken = isDecided || isSending || sent.length > 0;
      ends.push(isTaken ? 'whole' : 'nothing');
      const core = await openCore(place);
      // Whoever sent it may be dead too, or tries again while the next owner is at it.
      const isRepeated = cut % 2 === 0;
      if (isRepeated) expect(await core.api.request('dispatch', params)).toMatchObject({ message: params.id });
      const expected = isTaken || isRepeated ? whole : nothing;
      const isAtEnd = () => JSON.stringify(tracesOf(place, params.id)) === JSON.stringify(expected);
      for (let n = 0; n < turnsMax && !isAtEnd(); n++) await new Promise((resolve) => setImmediate(resolve));
      expect(tracesOf(place, params.id), `cut ${cut}`).toEqual(expected);
      // And what is sent once more later is that message still.
      if (isTaken) await core.api.request('dispatch', params);
      await core.stop();
      expect(tracesOf(place, params.id), `cut ${cut}`).toEqual(expected);
      await rm(join(place.vault, '..'), { recursive: true, force: true });
    }
    expect(ends.join(' ')).toMatch(/^(nothing )+(whole ?)+$/);
    expect(deaths).toBeGreaterThan(params.from === undefined ? 8 : 25);
  },
);
