import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type CoreScene, type CrashPlace, everyCrashPoint, sceneOf } from '../support/crashPoints.ts';
import { openCore } from '../support/openCore.ts';
import { someSignals } from '../support/signalPoints.ts';
import { decided, letWait, makeSuggestionWorld, payments, refunds } from '../support/suggestionWorld.ts';

const rules = `# Who gets what
rules:
  # Money first
  - id: invoices
    any: [invoice]
    target: ${payments}
`;

test('a suggested rule whose owner dies at any moment of its acceptance waits, or is in the file once and committed', {
  timeout: 600_000,
}, async () => {
  const template = await makeSuggestionWorld({ rules, history: [decided('Please refund Ada', payments)] });
  const waiting = await letWait(template);
  const kindred = await letWait(template, { ...refunds, rule: { ...refunds.rule, id: 'again' } });
  const scene: CoreScene<'decide'> = {
    what: 'an accepted suggestion',
    template,
    request: 'decide',
    params: { ...waiting, decision: 'accept', reason: 'Quite so' },
    async look(place, { isTold }) {
      const end = await endAfterRestart(place, [waiting.approval, kindred.approval]);
      const text = await readFile(join(place.vault, 'routing.yaml'), 'utf8');
      const times = text.split('id: refunds').length - 1;
      return { end, times, isOwed: isTold || end === 'accepted' };
    },
  };
  const { ends } = await everyCrashPoint(sceneOf(scene));
  expect(ends.length).toBeGreaterThan(15);
  // Once the decision is on disk it holds; before that nobody has decided.
  expect(ends.join(' ')).toMatch(/^(waits )+(accepted ?)+$/);
  await someSignals(scene);
});

async function endAfterRestart(place: CrashPlace, asked: readonly string[]): Promise<'waits' | 'accepted'> {
  const { api, stop } = await openCore(place, { sessions: 'inProcess' });
  try {
    const { suggestions } = await api.request('suggestions', {});
    const text = await readFile(join(place.vault, 'routing.yaml'), 'utf8');
    const made = (await readdir(join(place.vault, 'decisions'))).filter((name) => name.endsWith('.yaml'));
    const { stdout } = await promisify(execFile)('git', ['log', '--format=%s', '--', 'routing.yaml'], {
      ...{ cwd: place.vault, env: place.environment },
    });
    const titles = stdout.trim().split('\n');
    if (made.length === 0) {
      expect(text).toBe(rules);
      expect(suggestions.map(({ approval }) => approval)).toEqual(asked);
      return 'waits';
    }
    expect(made.sort()).toEqual(asked.map((id) => `${id}.yaml`));
    expect(await readdir(join(place.vault, 'runtime/approvals'))).toEqual([]);
    expect(suggestions).toEqual([]);
    expect(text.startsWith(rules)).toBe(true);
    expect(parse(text).rules).toMatchObject([{ id: 'invoices' }, { id: 'refunds', origin: { suggestion: asked[0] } }]);
    expect(titles.filter((title) => title.startsWith('Route refund'))).toHaveLength(1);
    const { stdout: left } = await promisify(execFile)(
      'git',
      ['status', '--porcelain', '--', 'routing.yaml', 'decisions'],
      {
        ...{ cwd: place.vault, env: place.environment },
      },
    );
    expect(left).toBe('');
    return 'accepted';
  } finally {
    await stop();
  }
}
