import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RequestParams } from '../../src/model/protocol.ts';
import { copyWorld } from '../support/copyWorld.ts';
import { openCore } from '../support/openCore.ts';
import { runOwner } from '../support/ownerProcess.ts';
import { bundleProgram } from '../support/program.ts';
import { decided, letWait, makeSuggestionWorld, payments, refunds } from '../support/suggestionWorld.ts';

type Place = Awaited<ReturnType<typeof copyWorld>>;

const rules = `# Who gets what
rules:
  # Money first
  - id: invoices
    any: [invoice]
    target: ${payments}
`;

test('a suggested rule, killed before each change of the disk, waits or stands in the file, once and committed', {
  timeout: 1_200_000,
}, async () => {
  const program = await bundleProgram(resolve(import.meta.dirname, '../fixtures/owner.ts'));
  const template = await makeSuggestionWorld({ rules, history: [decided('Please refund Ada', payments)] });
  const waiting = await letWait(template);
  const kindred = await letWait(template, { ...refunds, rule: { ...refunds.rule, id: 'again' } });
  const answer: RequestParams<'decide'> = { ...waiting, decision: 'accept', reason: 'Quite so' };
  const ends: string[] = [];
  for (let signalAt = 1, over = false; !over; signalAt++) {
    const place = await copyWorld(template, `killed-${signalAt}`);
    const order = { request: 'decide', params: answer, signal: 'SIGKILL', signalAt } as const;
    over = (await runOwner(program, place, order)) !== undefined;
    ends.push(
      await endAfterRestart(place, [waiting.approval, kindred.approval]).catch((cause: unknown) => {
        throw new Error(`after SIGKILL before change ${signalAt}: ${cause}`, { cause });
      }),
    );
    await rm(join(place.vault, '..'), { recursive: true, force: true });
  }
  expect(ends.length).toBeGreaterThan(15);
  // Once the decision is on disk it holds; before that nobody has decided.
  expect(ends.join(' ')).toMatch(/^(waits )+(accepted ?)+$/);
});

async function endAfterRestart(place: Place, asked: readonly string[]): Promise<'waits' | 'accepted'> {
  const { api, stop } = await openCore(place);
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
    return 'accepted';
  } finally {
    await stop();
  }
}
