import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import type { Api } from '../../src/model/protocol.ts';
import { type CoreScene, everyCrashPoint, sceneOf } from '../support/crashPoints.ts';
import { openCore } from '../support/openCore.ts';
import { makeReflectWorld, oneEntry } from '../support/phaseWorld.ts';
import { someSignals } from '../support/signalPoints.ts';
import type { World } from '../support/world.ts';

const learned = `${oneEntry}  - id: learned\n    title: Learned\n    body: |\n      Something.\n`;
const finish = { outcome: 'done', summary: 'Learned something.' } as const;

/** A world with a reflection that is open by hand and edited. */
async function makeOpenWorld(): Promise<{ readonly world: World; readonly session: string }> {
  const world = await makeReflectWorld([]);
  const core = await openCore(world);
  const { session, directory } = await core.api.request('begin_manual_run', { plan: world.plan });
  await writeFile(join(directory, 'memory.yaml'), learned);
  await core.stop();
  return { world, session };
}

/** What the restart left open is finished by the person; resolves with how far it had come. */
async function finishOrReopen(api: Api, plan: string, session: string): Promise<'open' | 'finished'> {
  const ended = new Promise<void>((done) => {
    api.onEvent((event) => {
      if (event.type === 'recovered' && event.outcome === 'finished') done();
    });
  });
  const { running, phase } = await api.request('status', { plan });
  if (phase === 'triage' && running === undefined) return 'finished';
  try {
    expect(await api.request('finish_manual_run', { plan, session, ...finish })).toMatchObject({ outcome: 'ended' });
    return 'open';
  } catch (error) {
    if (!isRavelError(error)) throw error;
    // It had been accepted: the restart carries it out by itself.
    await ended;
    return 'finished';
  }
}

test('a phase by hand whose owner dies at any moment of its finish is finished once, or still open', {
  timeout: 600_000,
}, async () => {
  const { world, session } = await makeOpenWorld();
  const { plan } = world;
  const scene: CoreScene<'finish_manual_run'> = {
    what: 'a phase by hand',
    template: world,
    request: 'finish_manual_run',
    params: { plan, session, ...finish },
    async look(place, { isTold }) {
      const core = await openCore(place, { sessions: 'inProcess' });
      try {
        const end = await finishOrReopen(core.api, plan, session);
        const { phase, running, interrupted } = await core.api.request('status', { plan });
        expect({ phase, running, interrupted }).toEqual({ phase: 'triage' });
        const text = await place.readPlan('memory.yaml');
        expect(text).toBe(learned);
        return { end, times: text.split('id: learned').length - 1, isOwed: isTold };
      } finally {
        await core.stop();
      }
    },
  };
  const { ends } = await everyCrashPoint(sceneOf(scene));
  expect([...new Set(ends)].sort()).toEqual(['finished', 'open']);
  await someSignals(scene);
});
