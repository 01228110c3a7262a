import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../src/base/clock.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { Backlog } from '../../src/model/backlog.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { RequestParams } from '../../src/model/protocol.ts';
import { everyCrashPoint, type MemoryPlace, memorySceneOf, withPowerCuts } from '../support/crashPoints.ts';
import { openCore } from '../support/openCore.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { lookInMemory, someSignals } from '../support/signalPoints.ts';
import { commented, makeSuggestionWorld, payments } from '../support/suggestionWorld.ts';

const newUlid = createUlids(systemClock);

/** What stands anywhere about a message: with its sender, with its receiver, and with nobody yet. */
function tracesOf({ world, disk }: MemoryPlace, id: Ulid) {
  const backlog = (folder: string): Backlog => parse(disk.textOf(join(folder, 'backlog.yaml')) ?? '') ?? {};
  const { vault, planDirectory } = world;
  const received = backlog(join(planDirectory, 'payments')).received ?? [];
  const sent = backlog(planDirectory).dispatched ?? [];
  return {
    received: received.filter((one) => one.id === id).length,
    sent: sent.filter((one) => one.id === id).map(({ outcome }) => outcome),
    isDecided: disk.textOf(join(vault, 'runtime/routing-history.jsonl'))?.includes(`"message":"${id}"`) ?? false,
    isSending: disk.textOf(join(vault, `runtime/sending/${id}.json`)) !== undefined,
  };
}

/** So many turns are long, even on a busy machine. */
const turnsMax = 20_000;

test.each<[string, (plan: string) => Omit<RequestParams<'dispatch'>, 'id'>]>([
  [
    'for a plan, to one that it names',
    (from) => ({ from, 'target-plan': payments, reason: 'Theirs', body: 'Pay the invoice.' }),
  ],
  ['by a person, to whom a rule says', () => ({ target: 'auto', reason: 'Theirs', body: 'Pay the invoice.' })],
])(
  'a dispatch %s whose owner dies or loses power at any moment is received once, or was never acknowledged',
  { timeout: 600_000 },
  async (name, paramsFor) => {
    const template = await makeSuggestionWorld({ rules: commented });
    const params = { ...paramsFor(template.plan), id: newUlid() as Ulid };
    const outcome = params.from === undefined ? [] : [`accepted by ${payments}`];
    const whole = { received: 1, sent: outcome, isDecided: true, isSending: false };
    const nothing = { received: 0, sent: [], isDecided: false, isSending: false };
    const scene = memorySceneOf({
      what: `a dispatch ${name}`,
      template,
      async act(core) {
        const handled = nextEvent(core, 'message.handled', (event) => event.message === params.id);
        await Promise.all([core.api.request('dispatch', params), handled]);
      },
      async look(place, { cut, isTold }) {
        const { isDecided, isSending, sent } = tracesOf(place, params.id);
        const isTaken = isDecided || isSending || sent.length > 0;
        const core = await openCore(place.world, { disk: place.disk, sessions: 'inProcess' });
        // Whoever sent it may be dead too, or tries again while the next owner is at it.
        const isRepeated = cut % 2 === 0;
        if (isRepeated) expect(await core.api.request('dispatch', params)).toMatchObject({ message: params.id });
        const expected = isTaken || isRepeated ? whole : nothing;
        const isAtEnd = () => JSON.stringify(tracesOf(place, params.id)) === JSON.stringify(expected);
        for (let n = 0; n < turnsMax && !isAtEnd(); n++) await new Promise((resolve) => setImmediate(resolve));
        expect(tracesOf(place, params.id)).toEqual(expected);
        // And what is sent once more later is that message still.
        if (isTaken) await core.api.request('dispatch', params);
        await core.stop();
        const traces = tracesOf(place, params.id);
        expect(traces).toEqual(expected);
        return { end: isTaken ? 'whole' : 'nothing', times: traces.received, isOwed: isTold || isTaken };
      },
    });
    const { tried, ends } = await everyCrashPoint(scene);
    expect(ends.join(' ')).toMatch(/^(nothing )+(whole ?)+$/);
    expect(tried).toBeGreaterThan(params.from === undefined ? 8 : 25);
    await everyCrashPoint(withPowerCuts(scene));
    const look = lookInMemory(scene.look, template);
    await someSignals({ what: scene.what, template, request: 'dispatch', params, look });
  },
);
