import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { connect } from '../../src/server/client.ts';
import { decide, decisions, onlyApproval, ravel } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import {
  against,
  agreeing,
  commented,
  decided,
  lastCommits,
  letWait,
  makeSuggestionWorld,
  payments,
  readRules,
  refunds,
  remember,
  search,
  suggestions,
} from '../support/suggestionWorld.ts';
import { failingDisk } from '../support/tracingDisk.ts';
import { startCore } from '../support/world.ts';

describe('an accepted suggestion', () => {
  test('is added to routing.yaml with its origin, keeps every comment, and is committed with its reason', async () => {
    const world = await makeSuggestionWorld({ rules: commented, history: agreeing });
    const { approval } = await letWait(world, { ...refunds, messages: agreeing.map(({ message }) => message) });
    const { core, events } = await startCore(world);
    const [row] = await suggestions(core.api);
    expect(row).toMatchObject({
      ...{ approval, objections: [], group: approval, place: { index: 1, line: 6 } },
      backTest: { decisions: 2, matched: 2, agreed: 2, disagreed: 0, freed: 2 },
      yaml: `  - id: refunds\n    any:\n    - refund\n    target: ${payments}\n`,
    });
    const page = await onlyApproval(core.api);
    expect(page.shown).toContain('would have matched 2: 2 went there, none went elsewhere');
    const result = await decide(core.api, page, 'accept', { reason: 'Quite so' });
    expect(result).toMatchObject({ did: expect.stringContaining('"refunds" is in routing.yaml') });
    const text = await readRules(world);
    const own = parse(text).rules[1];
    expect(own).toMatchObject({ ...refunds.rule, origin: { suggestion: approval } });
    for (const line of commented.trimEnd().split('\n')) expect(text.split('\n')).toContain(line);
    const log = await lastCommits(world, 2);
    expect(log).toMatch(
      /Route refund to greeter[\s\S]*Refunds are money[\s\S]*Accepted by[\s\S]*Quite so[\s\S]*routing\.yaml/,
    );
    expect(log).toContain('Record a decision: rule-suggestion');
    expect(await suggestions(core.api)).toEqual([]);
    expect(await core.api.request('rules', {})).toMatchObject({
      rules: [{ id: 'invoices', line: 3 }, { id: 'refunds', line: 6 }, { id: 'find' }],
      diagnostics: [],
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'approval.decided', actor: 'vault', decision: 'accept' }),
    );
  });

  test('an accepted suggestion that a person edited is checked as they wrote it', async () => {
    const world = await makeSuggestionWorld({ history: [...agreeing, against] });
    await letWait(world);
    const { core } = await startCore(world);
    const page = await onlyApproval(core.api);
    expect(page.form).toContain('id: refunds');
    const bad = {
      '- target: a\n': /\. id: /,
      'no rule': /it has to be a mapping/,
      '- id: a\n- id: b\n': /it has to be a mapping/,
    };
    for (const [text, why] of Object.entries(bad)) {
      expect(await failureOf(() => decide(core.api, page, 'edit', { text }))).toMatchObject({
        ...{ code: 'approval/badDecision', message: expect.stringMatching(why) },
      });
    }
    const gone = page.form?.replace(payments, 'greeter/project-root/nobody') ?? '';
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: gone }))).toMatchObject({
      code: 'rule/targetGone',
    });
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: page.form ?? '' }))).toMatchObject({
      code: 'rule/contradicted',
    });
    expect(await decisions(world)).toEqual([]);
    await decide(core.api, page, 'edit', {
      text: `id: money-back\nany: [refund]\nnone: [find]\ntarget: ${payments}\n`,
    });
    expect(parse(await readRules(world)).rules).toMatchObject([{ id: 'money-back', none: ['find'], target: payments }]);
  });

  test('settles the suggestions that it covers, and leaves the others', async () => {
    const world = await makeSuggestionWorld({ history: [...agreeing, decided('A chargeback came in', payments)] });
    const wide = await letWait(world, {
      ...refunds,
      rule: { id: 'money', any: ['refund', 'order'], target: payments },
    });
    const narrow = await letWait(world, {
      ...refunds,
      rule: { id: 'orders', all: ['refund', 'order'], target: payments },
    });
    const other = await letWait(world, {
      ...refunds,
      rule: { id: 'back', any: ['refund', 'chargeback'], target: payments },
    });
    const apart = await letWait(world, { ...refunds, rule: { id: 'index', any: ['index'], target: search } });
    const { core } = await startCore(world);
    const groups = (await suggestions(core.api)).map(({ group }) => group);
    expect(groups).toEqual([wide, wide, wide, apart].map(({ approval }) => approval));
    await decide(core.api, wide, 'accept');
    expect((await suggestions(core.api)).map(({ approval }) => approval)).toEqual([other.approval, apart.approval]);
    expect(await decisions(world)).toContainEqual(
      expect.objectContaining({
        id: narrow.approval,
        decision: 'superseded',
        reason: expect.stringContaining('"money"'),
      }),
    );
    expect(await failureOf(() => decide(core.api, narrow, 'accept'))).toMatchObject({ code: 'approval/decided' });
  });
});

describe('a suggestion with objections', () => {
  test.each([
    [
      'decisions that went elsewhere',
      refunds,
      '',
      /contradicts 1 of the 3 decisions .*“Find the refund page” went to .*search/,
    ],
    [
      'an equal rule',
      refunds,
      `rules:\n- id: old\n  any: [refunds]\n  target: ${payments}\n`,
      /"old" already says the same/,
    ],
    [
      'a rule that leads elsewhere',
      refunds,
      `rules:\n- id: old\n  any: [order]\n  target: ${search}\n`,
      /"old", which leads to .*search, .* 1 message ambiguous/,
    ],
    ['its lack of facts', { ...refunds, rule: { id: 'all', target: payments } }, '', /names no fact/],
    ['the missing rule that it replaces', { ...refunds, replaces: 'gone' }, '', /"gone", which it would replace/],
  ])('because of %s needs an override, which is recorded', async (_what, suggestion, rules, why) => {
    const history = rules === '' ? [...agreeing, against] : agreeing;
    const world = await makeSuggestionWorld({ rules, history });
    const waiting = await letWait(world, suggestion);
    const { core } = await startCore(world);
    const [row] = await suggestions(core.api);
    expect(row?.objections.join(' ')).toMatch(why);
    const refused = await failureOf(() => decide(core.api, waiting, 'accept'));
    expect(refused).toMatchObject({ code: 'rule/contradicted', message: expect.stringMatching(why) });
    expect(await decisions(world)).toEqual([]);
    await core.api.request('decide', { ...waiting, decision: 'accept', override: true });
    expect(await decisions(world)).toMatchObject([{ decision: 'accept', override: true }]);
    expect(parse(await readRules(world)).rules).toContainEqual(expect.objectContaining(suggestion.rule));
    expect(await lastCommits(world, 2)).toContain('despite the objections');
  });

  test('is checked again with decisions made after it was listed', async () => {
    const world = await makeSuggestionWorld({ history: agreeing });
    const waiting = await letWait(world);
    const first = await openCore(world);
    expect((await suggestions(first.api))[0]?.objections).toEqual([]);
    await first.stop();
    await remember(world, [against]);
    const { core } = await startCore(world);
    expect(await failureOf(() => decide(core.api, waiting, 'accept'))).toMatchObject({ code: 'rule/contradicted' });
  });

  test('because its target is gone cannot be accepted even with an override, and can be rejected', async () => {
    const world = await makeSuggestionWorld({ history: agreeing });
    const target = 'greeter/project-root/payment';
    const waiting = await letWait(world, { ...refunds, rule: { ...refunds.rule, target } });
    const { core } = await startCore(world);
    const gone = await failureOf(() => core.api.request('decide', { ...waiting, decision: 'accept', override: true }));
    expect(gone).toMatchObject({ code: 'rule/targetGone', message: expect.stringContaining(`"${payments}"`) });
    await decide(core.api, waiting, 'reject');
    expect(await suggestions(core.api)).toEqual([]);
  });
});

describe('a rejected suggestion', () => {
  test('leaves routing.yaml alone, settles its equals, and is not proposed again after a restart', async () => {
    const world = await makeSuggestionWorld({ rules: commented, history: [] });
    const first = await letWait(world);
    const equal = await letWait(world, { ...refunds, rule: { ...refunds.rule, id: 'other', any: ['Refunds'] } });
    const { core, server } = await startCore(world);
    await decide(core.api, first, 'reject', { reason: 'Too wide' });
    expect(await suggestions(core.api)).toEqual([]);
    expect(await readRules(world)).toBe(commented);
    expect(await decisions(world)).toMatchObject([
      { id: first.approval, decision: 'reject', reason: 'Too wide' },
      { id: equal.approval, decision: 'superseded' },
    ]);
    await server.stop();
    await core.stop();
    await remember(
      world,
      Array.from({ length: 9 }, (_, at) => decided(`Please refund ${'abcdefghi'[at]}${at}`, payments)),
    );
    const next = await startCore(world);
    const { checked } = await next.core.api.request('propose_rules', {});
    expect(checked).toBe(9);
    const words = (await suggestions(next.core.api)).flatMap(({ suggestion: { rule } }) => [
      ...(rule.any ?? []),
      ...(rule.all ?? []),
    ]);
    expect(words).not.toContain('refund');
  });
});

test('a rule that the history supports is proposed once, and can be accepted', async () => {
  const history = Array.from({ length: 9 }, (_, at) => decided(`Please refund ${'abcdefghi'[at]}${at}`, payments));
  const world = await makeSuggestionWorld({ history });
  const { core } = await startCore(world);
  const { suggested } = await core.api.request('propose_rules', {});
  expect(suggested.length).toBeGreaterThan(0);
  expect((await core.api.request('propose_rules', {})).suggested).toEqual([]);
  const [row] = await suggestions(core.api);
  expect(row).toMatchObject({ suggestion: { by: 'history' }, objections: [], backTest: { disagreed: 0 } });
  if (row !== undefined) await decide(core.api, row, 'accept');
  expect(parse(await readRules(world)).rules).toHaveLength(1);
});

test('a suggestion whose file or decision was changed by hand hides no other, and cannot be decided', async () => {
  const world = await makeSuggestionWorld({ history: agreeing });
  const [damaged, rejected] = [await letWait(world), await letWait(world, { ...refunds, replaces: 'gone' })];
  const other = await letWait(world, { ...refunds, rule: { id: 'index', any: ['index'], target: search } });
  const edit = async (path: string, change: (text: string) => string) => {
    const file = join(world.vault, path);
    await writeFile(file, change(await readFile(file, 'utf8')));
  };
  await edit(`runtime/approvals/${damaged.approval}.yaml`, (text) => text.replace(/^ {2}rule:$/m, '  ruler:'));
  const first = await openCore(world);
  await decide(first.api, rejected, 'reject');
  await first.stop();
  await edit(`decisions/${rejected.approval}.yaml`, (text) => text.replace(/^ {2}rule:$/m, '  ruler:'));
  const { core } = await startCore(world);
  expect((await suggestions(core.api)).map(({ approval }) => approval)).toEqual([other.approval]);
  expect((await core.api.request('propose_rules', {})).checked).toBe(2);
  expect(await failureOf(() => decide(core.api, damaged, 'accept'))).toMatchObject({ code: 'approval/changed' });
  expect(await failureOf(() => core.api.request('approval', { approval: damaged.approval }))).toMatchObject({
    code: 'approval/unreadable',
  });
  await decide(core.api, other, 'accept');
});

test('why links a suggestion to its rule under the id that the rule was given', async () => {
  const world = await makeSuggestionWorld({
    rules: `rules:\n- {id: refunds, target: ${search}, any: [index]}\n`,
    history: agreeing,
  });
  const waiting = await letWait(world);
  const { core } = await startCore(world);
  await decide(core.api, waiting, 'accept');
  const { links } = await core.api.request('why', { subject: waiting.approval });
  const from = `suggestion:${waiting.approval}`;
  expect(links.filter((link) => link.from === from).map(({ to }) => to)).toEqual(['rule:refunds-2']);
});

test('with 200 suggestions waiting no more are made, and that is reported once', { timeout: 60_000 }, async () => {
  const history = ['refund', 'walrus'].flatMap((word) =>
    Array.from({ length: 9 }, (_, at) =>
      decided(`Please ${word} ${'abcdefghi'[at]}${at}`, word === 'refund' ? payments : search),
    ),
  );
  const world = await makeSuggestionWorld({ history });
  for (let at = 0; at < 200; at++) {
    await letWait(world, { ...refunds, rule: { id: `r${at}`, any: [`word${at}`], target: payments } });
  }
  const { core, events } = await startCore(world);
  expect((await core.api.request('propose_rules', {})).suggested).toEqual([]);
  const told = events.filter(
    (event) => event.type === 'diagnostic' && event.diagnostic.code === 'rule/tooManySuggested',
  );
  expect(told).toMatchObject([
    { diagnostic: { message: expect.stringContaining('200 suggested rules are waiting already') } },
  ]);
  expect(await suggestions(core.api)).toHaveLength(200);
});

describe('two reviewers', () => {
  test('two reviewers of one suggestion at once: one decides, the other is told, and the rule is added once', async () => {
    const world = await makeSuggestionWorld({ history: agreeing });
    const waiting = await letWait(world);
    const { core } = await startCore(world);
    const clients = await Promise.all([1, 2].map(() => connect({ socketPath: core.socketPath, clock: systemClock })));
    const outcomes = await Promise.allSettled(clients.map((client) => decide(client, waiting, 'accept')));
    for (const client of clients) client.close();
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find((outcome) => outcome.status === 'rejected')?.reason).toMatchObject({
      diagnostic: { code: 'approval/decided', message: expect.stringContaining('accepted') },
    });
    expect(parse(await readRules(world)).rules).toHaveLength(1);
  });

  test('two reviewers of two suggestions that exclude each other: the first is accepted, the second refused', async () => {
    const world = await makeSuggestionWorld({ history: [decided('Refund the index', payments)] });
    const [one, two] = [
      await letWait(world),
      await letWait(world, { ...refunds, rule: { id: 'x', any: ['index'], target: search } }),
    ];
    const { core } = await startCore(world);
    const outcomes = await Promise.allSettled([
      decide(core.api, one, 'accept'),
      core.api.request('decide', { ...two, decision: 'accept' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

test('an acceptance that a full disk held up is carried out at the next start', async () => {
  const world = await makeSuggestionWorld({ history: agreeing });
  const waiting = await letWait(world);
  const matches = (name: string, path: string) => name === 'file.write' && path.includes('routing.yaml');
  const failing = await openCore(world, { disk: failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches }) });
  expect(await failureOf(() => decide(failing.api, waiting, 'accept'))).toMatchObject({ code: 'disk/full' });
  expect(await suggestions(failing.api)).toEqual([]);
  await failing.stop();
  await startCore(world);
  expect(parse(await readRules(world)).rules).toMatchObject([{ id: 'refunds' }]);
  expect(await readdir(join(world.vault, 'runtime/approvals'))).toEqual([]);
});

test('routing_share counts by day how messages were routed, and their cost', async () => {
  const world = await makeSuggestionWorld({
    history: [
      decided('a', payments, { usd: 0.5 }),
      decided('b', payments, { step: 'rules', rules: ['x'] }),
      decided('c', search, { at: '2020-01-01T10:00:00Z' }),
    ],
  });
  const { core } = await startCore(world);
  const { days } = await core.api.request('routing_share', { days: 3660 });
  expect(days.at(-1)).toEqual({ day: '2026-11-20', steps: { 'level-2': 1, rules: 1 }, usd: 0.5 });
  expect(days).toHaveLength(2);
});

test('ravel approvals shows and accepts a suggestion', async () => {
  const world = await makeSuggestionWorld({ history: agreeing });
  const { approval } = await letWait(world);
  const shown = await ravel(world, ['approvals', 'show', approval]);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toContain('would have matched 2');
  const accepted = await ravel(world, ['approvals', 'accept', approval]);
  expect(accepted).toMatchObject({ code: 0 });
});
