import { describe, expect, test } from 'vitest';
import { localTime } from '../../../src/base/localTime.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { RequestParams } from '../../../src/model/protocol.ts';
import type { RouteRow } from '../../../src/model/requests/routing.ts';
import type { RouteExplanation, RoutingDecision } from '../../../src/model/routing.ts';
import { routeRow, wholeRow } from '../../../src/routing/history/routeRow.ts';
import { createFakePorts } from '../fakePorts.ts';

const message = '01HZY0000000000000000000M1' as Ulid;
const cards = toQualifiedId('bank/project-root/cards');
const candidate = { recipient: cards, score: 0.42, parts: { description: 0.4, facts: 0, outcomes: 0.02 } };

const decision: RoutingDecision = {
  ...{
    type: 'decision',
    message,
    at: '2026-01-02T03:04:05Z',
    on: 'dispatch',
    from: toQualifiedId('shop/project-root'),
  },
  ...{
    named: { target: 'auto' },
    reason: 'Found\u001b[2J it',
    body: 'A refund came twice.',
    depth: 0,
    origin: message,
  },
  ...{ facts: ['refund'], extractor: 'vocabulary', rules: ['refunds'], candidates: [candidate], step: 'level-2' },
  outcome: { kind: 'routed', to: cards },
  consulted: [
    {
      ...{ level: 2, session: message, scope: 'bank', usd: 0.25, durationMs: 5, answer: 'accept', target: cards },
      reasoning: 'It charges.',
    },
  ],
  ...{ reasoning: 'It charges.', durationMs: 1200, usd: 0.25 },
};

const explained: RouteExplanation = {
  facts: [{ fact: 'refund', from: ['refunds'] }],
  rules: [
    { rule: 'refunds', target: cards, matches: true, because: 'it is about “refund”' },
    { rule: 'cards', target: cards, matches: false, because: 'it is not about “card”' },
  ],
  candidates: [candidate],
  steps: [
    { step: 'direct', text: 'It names no receiver.', decided: false },
    { step: 'rules', text: 'The rule refunds says so.', decided: true },
  ],
  outcome: { kind: 'routed', to: cards },
};

/** A page can have fewer rows than were asked for. */
const pageLength = 3;

async function run(
  args: readonly string[],
  { stdin, routes = [wholeRow(decision)] }: { stdin?: string; routes?: RouteRow[] } = {},
) {
  const asked: unknown[] = [];
  const handlers = {
    routes: (params: unknown) => {
      asked.push(params);
      const { limit = 1, before } = params as RequestParams<'routes'>;
      const start = before === undefined ? 0 : routes.findIndex(({ message: one }) => one === before) + 1;
      const page = routes.slice(start, start + Math.min(limit, pageLength));
      const last = page.at(-1)?.message;
      const isMore = start + page.length < routes.length && last !== undefined;
      return { routes: page, ...(isMore && { next: last }) };
    },
    explain_route: (params: unknown) => {
      asked.push(params);
      return explained;
    },
  };
  const ports = await createFakePorts(handlers, stdin === undefined ? {} : { stdin });
  return { code: await runCommandLine(['route', ...args], ports), asked, ...ports.written };
}

describe('ravel route', () => {
  test('lists the latest 20 decisions without control characters', async () => {
    const { code, stdout, asked } = await run([]);
    expect([code, asked]).toEqual([0, [{ limit: 20 }]]);
    expect(stdout).toContain(`by a session  task from shop/project-root: to ${cards}`);
    expect(stdout).not.toContain('\u001b[2J');
    expect(stdout).toContain(`  ${message}  A refund came twice.\n  because: Found`);
  });
  test('keeps the time at which a message was sent, whenever a person decided it', async () => {
    const later = { ...decision, at: '2026-01-05T00:00:00Z', firstAt: '2026-01-02T03:04:05Z', by: 'ada' };
    expect((await run([], { routes: [routeRow(later)] })).stdout).toContain(
      `${localTime('2026-01-02T03:04:05Z')}  by ada`,
    );
    const { stdout } = await run([message], { routes: [wholeRow(later)] });
    expect(stdout).toContain(`  from shop/project-root, ${localTime('2026-01-02T03:04:05Z')}\n`);
    expect(stdout).toContain(`Decided by ada at ${localTime('2026-01-05T00:00:00Z')}, `);
  });
  test('reads several pages to list as many decisions as were asked for', async () => {
    const routes = Array.from({ length: 9 }, (_, n) =>
      routeRow({ ...decision, message: `${message.slice(0, -1)}${n}` as Ulid }),
    );
    const { asked, stdout } = await run(['--limit', '7'], { routes });
    const idOf = (n: number) => routes[n]?.message;
    expect(asked).toEqual([{ limit: 7 }, { limit: 4, before: idOf(2) }, { limit: 1, before: idOf(5) }]);
    expect(routes.map((route) => stdout.includes(route.message))).toEqual([...Array(7).fill(true), false, false]);
  });
  test('says if no message has been routed', async () => {
    expect((await run([], { routes: [] })).stdout).toBe('No message has been routed in this vault yet.\n');
  });
  test('with a message shows the whole decision, with each session and its cost', async () => {
    const { stdout, asked } = await run([message]);
    expect(asked).toEqual([{ message }]);
    expect(stdout).toContain('  A refund came twice.\n  because: Found');
    expect(stdout).toContain(`It goes to ${cards}. Decided by a session`);
    expect(stdout).toContain(`0.42  ${cards}  (description 0.40, messages that it kept 0.02)`);
    expect(stdout).toContain(`who takes it in bank: yes, ${cards}, $0.25 — It charges. (ravel logs ${message})`);
  });
  test('with a message says how far the best match was ahead, unless the reasoning does', async () => {
    const lead = { ...decision, scoreLead: { ahead: 0.31, threshold: 0.42, tasks: 113, decisions: 1 } };
    const said =
      'The best is ahead of the second by 31 % of its score. A lead of 42 % decides, as tested on 113 tasks of plans and 1 earlier decision.';
    const show = async (route: typeof lead) => (await run([message], { routes: [wholeRow(route)] })).stdout;
    expect(await show(lead)).toContain(said);
    expect(await show({ ...lead, step: 'scores' })).not.toContain(said);
  });
  test.each([
    [[message], { routes: [] }, 3],
    [['--limit', 'many'], {}, 2],
  ])('refuses %j', async (args, given, code) => expect((await run(args, given)).code).toBe(code));
});

describe('ravel route --explain', () => {
  test.each<[string, string, readonly string[], object]>([
    ['a plain text', 'A refund came twice.\n', [], { on: 'dispatch', target: 'auto', body: 'A refund came twice.\n' }],
    ['a text that is not YAML', 'a: [', ['--question'], { on: 'query', target: 'auto', body: 'a: [' }],
    [
      'an entry of dispatches.yaml',
      'target-project: bank\nreason: So\nbody: Twice.\n',
      ['--from', 'shop'],
      { on: 'dispatch', 'target-project': 'bank', reason: 'So', body: 'Twice.', from: 'shop' },
    ],
    [
      'a list of queries',
      'queries:\n  - target-expert: rust\n    question: Why?\n',
      [],
      { on: 'query', 'target-expert': 'rust', body: 'Why?' },
    ],
    [
      'an entry with --to, which wins',
      'body: Twice.\ntarget: auto\n',
      ['--to', cards],
      { on: 'dispatch', 'target-plan': cards, body: 'Twice.' },
    ],
    [
      'an expert named by --to',
      'x',
      ['--to', 'expert:rust'],
      { on: 'dispatch', 'target-expert': 'expert:rust', body: 'x' },
    ],
    ['a project named by --to', 'x', ['--to', 'project:bank'], { on: 'dispatch', 'target-project': 'bank', body: 'x' }],
  ])('sends %s', async (_name, stdin, args, params) => {
    const { code, asked } = await run(['--explain', '-', ...args], { stdin });
    expect([code, asked]).toEqual([0, [params]]);
  });

  test('prints the words that gave the facts, and the rules that nearly match', async () => {
    const { stdout } = await run(['--explain', '-'], { stdin: 'x' });
    expect(stdout).toContain('refund  (it says “refunds”)');
    expect(stdout).toContain('Rules that nearly match\n  cards → bank/project-root/cards: it is not about “card”');
    expect(stdout).toContain('✓ The rule refunds says so.');
    expect(stdout.trimEnd().endsWith(`It goes to ${cards}.`)).toBe(true);
  });
});
