import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { decide, decisions } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import {
  agreeing,
  commented,
  lastCommits,
  letWait,
  makeSuggestionWorld,
  readRules,
  search,
  suggestions,
} from '../support/suggestionWorld.ts';
import { startCore } from '../support/world.ts';

describe('routing.yaml', () => {
  test('that is broken leaves the last good rules in force, and takes no new rule until it is repaired', async () => {
    const world = await makeSuggestionWorld({ rules: commented, history: agreeing });
    const waiting = await letWait(world);
    const { core, events } = await startCore(world);
    await core.api.request('rules', {});
    await writeFile(join(world.vault, 'routing.yaml'), 'rules: [\n');
    const { rules, diagnostics } = await core.api.request('rules', {});
    expect(rules.map(({ id }) => id)).toEqual(['invoices', 'find']);
    expect(rules[0]).not.toHaveProperty('line');
    expect(diagnostics[0]).toMatchObject({
      code: 'rule/fileBroken',
      range: {},
      message: expect.stringContaining('the last 2 valid rules stay in force'),
    });
    expect(await failureOf(() => decide(core.api, waiting, 'accept'))).toMatchObject({
      ...{ code: 'rule/cannotPut', help: expect.stringContaining('- id: refunds') },
    });
    expect(await decisions(world)).toEqual([]);
    const told = events.filter((event) => event.type === 'diagnostic' && event.diagnostic.code === 'rule/fileBroken');
    expect(told).toHaveLength(1);
    await writeFile(join(world.vault, 'routing.yaml'), commented);
    await decide(core.api, waiting, 'accept');
    expect(parse(await readRules(world)).rules).toHaveLength(3);
  });

  test('that is broken when the owner starts is reported, and no rule applies', async () => {
    const world = await makeSuggestionWorld({ rules: 'rules: 3\n' });
    const { core } = await startCore(world);
    expect(await core.api.request('rules', {})).toMatchObject({
      rules: [],
      diagnostics: [{ code: 'rule/fileBroken', message: expect.stringContaining('no rule decides') }],
    });
  });

  test.each([
    ['is empty', ''],
    ['is gone', undefined],
    [
      'has the same id twice',
      `rules:\n- {id: refunds, target: ${search}, any: [a]}\n- {id: refunds, target: ${search}, any: [b]}\n`,
    ],
    ['changed since the suggestion was shown', commented],
  ])('that %s takes a rule under a unique id', async (_what, text) => {
    const world = await makeSuggestionWorld({ history: agreeing });
    const waiting = await letWait(world);
    const { core } = await startCore(world);
    await suggestions(core.api);
    const file = join(world.vault, 'routing.yaml');
    if (text === undefined) await nodeDisk.unlink(file);
    else await writeFile(file, text);
    await decide(core.api, waiting, 'accept');
    const { rules } = await core.api.request('rules', {});
    const ids = rules.map(({ id }) => id);
    expect(rules.filter(({ origin }) => origin?.suggestion === waiting.approval)).toHaveLength(1);
    expect(ids.filter((id) => id === rules.find(({ origin }) => origin)?.id)).toHaveLength(1);
  });

  test('with 5,000 rules takes one more', { timeout: 120_000 }, async () => {
    const many = Array.from({ length: 5000 }, (_, at) => `- id: r${at}\n  any: [word${at}]\n  target: ${search}\n`);
    const world = await makeSuggestionWorld({ rules: `rules:\n${many.join('')}`, history: agreeing });
    const waiting = await letWait(world);
    const { core } = await startCore(world);
    await decide(core.api, waiting, 'accept');
    expect((await core.api.request('rules', {})).rules).toHaveLength(5001);
  });
});

test('with vault.commit = "never" an accepted rule is not committed', async () => {
  const world = await makeSuggestionWorld({ history: agreeing, settings: '[vault]\ncommit = "never"\n' });
  const waiting = await letWait(world);
  const { core } = await startCore(world);
  await decide(core.api, waiting, 'accept');
  expect(await lastCommits(world, 1)).not.toContain('Route');
});
