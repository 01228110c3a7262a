import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { type CoreScene, type CrashPlace, everyCrashPoint, sceneOf } from '../support/crashPoints.ts';
import { frenchProposal, makeGoalWorld } from '../support/goalWorld.ts';
import { openCore } from '../support/openCore.ts';
import { someSignals } from '../support/signalPoints.ts';
import { startCore } from '../support/world.ts';

const titles = ['greet-in-german', 'read-the-greetings-from-a-file', 'tell-a-formal-from-a-friendly-greeting'];

test('proposed plans whose owner dies at any moment of their acceptance still wait, or all are there once', {
  timeout: 600_000,
}, async () => {
  const [own, ...others] = frenchProposal.plans;
  const memory = [{ title: 'Languages have codes', body: 'They are those of ISO 639.' }];
  const proposal = { ...frenchProposal, plans: [{ ...own, memory }, ...others] };
  const template = await makeGoalWorld();
  const { core, server } = await startCore(template, { sessions: 'inProcess' });
  await core.api.request('propose_plans', { under: template.plan, text: stringify(proposal) });
  const { approval, contentHash } = await onlyApproval(core.api);
  await server.stop();
  await core.stop();
  const scene: CoreScene<'decide'> = {
    what: 'accepted plans',
    template,
    request: 'decide',
    params: { approval, contentHash, decision: 'accept' },
    async look(place, { isTold }) {
      const end = await endAfterRestart(place);
      return { end, times: end === 'made' ? 1 : 0, isOwed: isTold };
    },
  };
  const { ends } = await everyCrashPoint(sceneOf(scene));
  expect(ends.length).toBeGreaterThan(60);
  // Once the decision is on disk it holds; before that nobody has decided.
  expect(ends.join(' ')).toMatch(/^(waits )+(made ?)+$/);
  await someSignals(scene);
});

async function endAfterRestart(place: CrashPlace): Promise<'waits' | 'made'> {
  const { api, stop } = await openCore(place, { sessions: 'inProcess' });
  try {
    // Whatever changes something waits until all is settled that an earlier owner left.
    await api.request('propose_plans', { under: 'nothing', text: '-' }).catch(() => undefined);
    const { approvals } = await api.request('approvals', {});
    const { plans } = await api.request('list', {});
    const ids = plans.map(({ plan }) => plan).sort();
    const left = (await readdir(place.planDirectory)).filter((name) => /^\.(?:languages|politeness)\./.test(name));
    if (approvals.length === 1) {
      expect(ids).toEqual([place.plan]);
      expect(left).toEqual([]);
      await decide(api, await onlyApproval(api), 'reject');
      return 'waits';
    }
    expect(approvals).toEqual([]);
    expect(left).toEqual([]);
    expect(ids).toEqual([place.plan, `${place.plan}/languages`, `${place.plan}/politeness`]);
    const idsOf = async (...path: string[]) => {
      const { tasks, entries } = parse(await readFile(join(place.planDirectory, ...path), 'utf8'));
      return (tasks ?? entries).map(({ id }: { readonly id: string }) => id).sort();
    };
    expect(await idsOf('backlog.yaml')).toEqual(['name-the-languages-in-the-readme']);
    expect(await idsOf('memory.yaml')).toEqual(['languages-have-codes']);
    expect([...(await idsOf('languages', 'backlog.yaml')), ...(await idsOf('politeness', 'backlog.yaml'))]).toEqual(
      titles,
    );
    expect(await idsOf('languages', 'memory.yaml')).toEqual(['english-is-the-fallback']);
    expect((await api.request('verify', {})).diagnostics).toEqual([]);
    return 'made';
  } finally {
    await stop();
  }
}
