import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic, failure } from '../../../src/model/codes.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import { isUlid, toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { RequestParams, RequestResults } from '../../../src/model/protocol.ts';
import type { Answer } from '../../../src/model/requests/messages.ts';
import type { RouteOutcome } from '../../../src/model/routing.ts';
import { type FakeHandlers, fakePlan } from '../../support/fakeApi.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { createFakePorts, type FakeOptions, type FakePorts } from '../fakePorts.ts';

const id = '01M00000000000000000000000' as Ulid;
const other = '01M00000000000000000000001' as Ulid;
const routed: RouteOutcome = { kind: 'routed', to: fakePlan };

interface Expected {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** What its receiver does with each message that is sent. */
type Received = 'read' | 'dead' | 'declined' | 'nothing';

function eventOf(message: Ulid, received: Exclude<Received, 'nothing'>): RavelEvent {
  const about = {
    at: '2026-01-02T03:04:05Z',
    actor: fakePlan,
    message,
    from: 'person',
    messageType: 'dispatch',
  } as const;
  if (received === 'dead') return { ...about, type: 'message.dead', reason: 'Its backlog cannot be read.' };
  const rejected = { kind: 'rejected', code: 'expert/absent', reason: 'It takes in no tasks.' } as const;
  const outcome = received === 'read' ? ({ kind: 'done', summary: '' } as const) : rejected;
  return { ...about, type: 'message.handled', outcome };
}

async function check(
  args: readonly string[],
  handlers: FakeHandlers,
  expected: Expected,
  options: FakeOptions & { readonly received?: Received } = {},
) {
  const { received = 'read', ...rest } = options;
  const dispatch: FakeHandlers['dispatch'] = async (params, signal) => {
    const sent = await handlers.dispatch?.(params, signal);
    if (params.id !== undefined && received !== 'nothing') ports.api.emit(eventOf(params.id as Ulid, received));
    return sent ?? { message: id };
  };
  const ports: FakePorts = await createFakePorts(
    { rules: () => ({ file: '', rules: [], diagnostics: [] }), ...handlers, ...(handlers.dispatch && { dispatch }) },
    rest,
  );
  const { code = 0, stdout = '', stderr = '' } = expected;
  expect(await runCommandLine(args, ports), ports.written.stderr).toBe(code);
  expect(ports.written.stdout).toContain(stdout);
  expect(ports.written.stderr).toContain(stderr);
}

/** Answers `dispatch`, and keeps what was sent, without the ids. */
function dispatching(outcome?: RouteOutcome) {
  const sent: Omit<RequestParams<'dispatch'>, 'id'>[] = [];
  const dispatch: NonNullable<FakeHandlers['dispatch']> = ({ id: sentAs = '', ...params }) => {
    expect(isUlid(sentAs)).toBe(true);
    sent.push(params);
    return { message: id, ...(outcome !== undefined && { outcome }) };
  };
  return { dispatch, sent };
}

const because = ['--reason', 'Seen it'];
const base = { reason: 'Seen it', body: 'Mend it.' };

describe('a dispatch', () => {
  test.each([
    { target: ['demo/project-root'], named: { 'target-plan': 'demo/project-root' } },
    { target: ['demo'], named: { 'target-plan': 'demo/project-root' } },
    { target: ['project:demo'], named: { 'target-project': 'demo' } },
    {
      target: ['demo', '--from', 'demo/project-root/x'],
      named: { 'target-plan': 'demo/project-root', from: 'demo/project-root/x' },
    },
    {
      target: ['demo', '--from', 'shop'],
      named: { 'target-project': 'demo', 'suggested-target-plan': 'demo/project-root', from: 'shop' },
    },
    {
      target: ['demo', '--suggest', 'demo/project-root/x'],
      named: { 'target-project': 'demo', 'suggested-target-plan': 'demo/project-root/x' },
    },
    { target: ['expert:rust'], named: { 'target-expert': 'expert:rust' } },
    { target: ['auto', '--from', 'shop'], named: { target: 'auto', from: 'shop' } },
  ])('to $target names its target in the request', async ({ target: [target = '', ...flags], named }) => {
    const { dispatch, sent } = dispatching(routed);
    const stdout = `✓ demo/project-root has the message: ${id}`;
    await check(['dispatch', target, 'Mend it.', ...because, ...flags], { dispatch }, { stdout });
    expect(sent).toEqual([{ ...base, ...named }]);
  });

  test('to an expert says that the expert will decline it', async () => {
    const { dispatch } = dispatching({ kind: 'routed', to: toQualifiedId('expert:rust') });
    const stdout = 'expert:rust was sent the message, but will decline it';
    const args = ['dispatch', 'expert:rust', 'Mend it.', ...because, '--wait', '0'];
    await check(args, { dispatch }, { stdout }, { received: 'nothing' });
  });

  test.each([
    ['dead', 5, 'demo/project-root could not take in the message'],
    ['dead', 5, 'ravel dead-letters'],
    ['declined', 4, 'demo/project-root declined the message'],
  ] as const)('that is %s ends with %i and says: %s', async (received, code, stdout) => {
    const { dispatch } = dispatching(routed);
    await check(['dispatch', 'demo', 'Mend it.', ...because], { dispatch }, { code, stdout }, { received });
  });

  test('with an automatic target says that routing.yaml cannot be used, and names the line', async () => {
    const { dispatch } = dispatching(routed);
    const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 1 } };
    const said = 'routing.yaml cannot be used, so the last valid rule stays in force.';
    const problem = diagnostic('rule/fileBroken', 'routing.yaml', said, { file: '/vault/routing.yaml', range });
    const rules = () => ({ file: '', rules: [], diagnostics: [problem] });
    const args = ['dispatch', 'project:demo', 'Mend it.', ...because];
    await check(args, { dispatch, rules }, { stdout: 'so the last valid rule stays in force' });
    await check(args, { dispatch, rules }, { stdout: '/vault/routing.yaml:3:1' });
  });

  test('that has not been read yet is said to be in the mailbox', async () => {
    const { dispatch } = dispatching(routed);
    const args = ['dispatch', 'demo', 'Mend it.', ...because, '--wait', '0'];
    const stdout = 'In the mailbox of demo/project-root, which has not read it yet';
    await check(args, { dispatch }, { stdout }, { received: 'nothing' });
  });

  test('takes its body from the text, an option, standard input or a file', async () => {
    const { dispatch, sent } = dispatching(routed);
    const file = join(await makeTemporaryDirectory(), 'body.md');
    await writeFile(file, 'from a file');
    await check(['dispatch', 'demo', 'a text', ...because], { dispatch }, {});
    await check(['dispatch', 'demo', '--body', 'an option', ...because], { dispatch }, {});
    await check(['dispatch', 'demo', '-', ...because], { dispatch }, {}, { stdin: 'typed' });
    await check(['dispatch', 'demo', '--body-file', file, ...because], { dispatch }, {});
    expect(sent.map(({ body }) => body)).toEqual(['a text', 'an option', 'typed', 'from a file']);
  });

  test('a dispatch of a task takes its body from the task', async () => {
    const { dispatch, sent } = dispatching(routed);
    const shown: unknown[] = [];
    const state: NonNullable<FakeHandlers['state']> = (params) => {
      shown.push(params);
      return { result: { title: 'Mend it', description: 'It drops the last line.\n' }, summary: '' };
    };
    await check(['dispatch', 'demo', '--from', 'shop', '--task', 'mend', ...because], { dispatch, state }, {});
    expect(shown).toEqual([{ plan: 'shop', verb: 'backlog/show', args: { id: 'mend' } }]);
    expect(sent).toMatchObject([{ from: 'shop', task: 'mend', body: 'Mend it\n\nIt drops the last line.\n' }]);
  });

  test.each([
    [['dispatch', 'demo', 'x']],
    [['dispatch', 'demo', ...because]],
    [['dispatch', 'demo', ' ', ...because]],
    [['dispatch', 'demo', 'x', '--reason', ' ']],
    [['dispatch', 'demo', 'x', '--body-file', 'y', ...because]],
    [['dispatch', 'demo/project-root', 'x', '--suggest', 'demo/project-root/y', ...because]],
    [['dispatch', 'demo', 'x', '--wait', 'long', ...because]],
    [['dispatch', 'demo', '--task', 'mend', ...because]],
  ])('is refused if its arguments do not fit: %j', async (args) => {
    await check(args, {}, { code: 2, stderr: 'cli/usage' });
  });

  test('a dispatch that the owner refuses prints code and help, and exits with 4', async () => {
    const refused = {
      kind: 'refused',
      code: 'message/unknownPlan',
      reason: 'there is no plan x/y',
      help: 'Plans: x/z.',
    } as const;
    const { dispatch } = dispatching(refused);
    await check(['dispatch', 'x/y', 'z', ...because], { dispatch }, { code: 4, stderr: 'message/unknownPlan' });
    await check(['dispatch', 'x/y', 'z', ...because], { dispatch }, { code: 4, stderr: 'Plans: x/z.' });
  });

  test('to auto waits until it is routed, and prints where it went', async () => {
    const at = '2026-01-02T03:04:05Z';
    const ports = await createFakePorts({
      rules: () => ({ file: '', rules: [], diagnostics: [] }),
      dispatch: ({ id: message = id }) => {
        const about = { message, messageType: 'dispatch', from: 'person' } as const;
        const found = { step: 'rules', outcome: routed, rules: ['cats'] } as const;
        ports.api.emit({ at, actor: 'vault', type: 'message.routed', ...about, ...found });
        ports.api.emit(eventOf(message, 'read'));
        return { message };
      },
    });
    expect(await runCommandLine(['dispatch', 'auto', 'Feed the cat.', ...because, '--json'], ports)).toBe(0);
    expect(JSON.parse(ports.written.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      result: { outcome: routed },
    });
  });

  test('with --wait 0 says that it is on its way, or waits for an approval', async () => {
    const { dispatch } = dispatching();
    const args = ['dispatch', 'auto', 'x', ...because, '--wait', '0'];
    await check(args, { dispatch }, { stdout: `The message ${id} is being routed.` });
    const waiting = dispatching({ kind: 'waiting', approval: other, reason: 'nobody fits' });
    await check(args, { dispatch: waiting.dispatch }, { code: 5, stdout: `ravel approvals show ${other}` });
  });

  test('a dispatch whose owner died is sent again under the same id, three times at most', async () => {
    const ids: (string | undefined)[] = [];
    const dying = (deaths: number): NonNullable<FakeHandlers['dispatch']> => {
      return (params) => {
        ids.push(params.id);
        if (ids.length <= deaths) throw failure('server/gone', 'connection', 'It is gone.');
        return { message: id, outcome: routed };
      };
    };
    const args = ['dispatch', 'demo', 'x', ...because];
    await check(args, { dispatch: dying(2) }, {});
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
    ids.length = 0;
    await check(args, { dispatch: dying(9) }, { code: 1, stderr: 'server/gone' });
    expect(ids.length).toBe(3);
  });
});

const answer: Answer = {
  query: id,
  question: 'Who feeds the cat?',
  from: 'person',
  by: fakePlan,
  at: '2026-01-02T03:04:05Z',
  state: 'answered',
  text: 'Ada does.',
  citations: ['memory/cats'],
};

describe('ravel ask', () => {
  test('prints the answer with its citations', async () => {
    const asked: unknown[] = [];
    const ask: NonNullable<FakeHandlers['ask']> = ({ id: _id, ...params }) => {
      asked.push(params);
      return { query: id, outcome: routed, answer };
    };
    await check(
      ['ask', 'demo', '-', '--wait', '7'],
      { ask },
      { stdout: '  Ada does.' },
      { stdin: 'Who feeds the cat?\n' },
    );
    await check(['ask', 'demo', 'Who?'], { ask }, { stdout: 'Sources: memory/cats' });
    const paid = () => ({ query: id, outcome: routed, answer: { ...answer, usd: 0.014 } });
    await check(['ask', 'demo', 'Who?'], { ask: paid }, { stdout: 'answers:  $0.01\n' });
    expect(asked[0]).toEqual({ 'target-plan': 'demo/project-root', question: 'Who feeds the cat?', 'wait-seconds': 7 });
  });

  test.each([
    ['4 if it is not answered', { answer: { ...answer, state: 'refused' } }, [], 4],
    ['5 if it waits for a person', { outcome: { kind: 'waiting', approval: other, reason: 'nobody fits' } }, [], 5],
    ['5 if no answer came in time', {}, ['--wait', '1'], 5],
    ['0 if it did not wait for an answer', {}, ['--wait', '0'], 0],
  ] as const)('ends with %s', async (_name, found, flags, code) => {
    const ask = () => ({ query: id, outcome: routed, ...found }) as RequestResults['ask'];
    await check(['ask', 'demo', 'Who?', ...flags], { ask }, { code });
  });

  test('says how to read an answer that is not there yet, and refuses an empty question', async () => {
    const ask = () => ({ query: id, outcome: routed });
    await check(['ask', 'demo', 'Who?', '--wait', '0'], { ask }, { stdout: `ravel answer ${id}` });
    await check(['ask', 'demo', ' '], {}, { code: 2, stderr: 'cli/usage' });
  });

  test('is followed by ravel answer, which prints the answer or the state of the question', async () => {
    await check(['answer', id], { answer: () => ({ answer }) }, { stdout: '✓ demo/project-root answers:' });
    const refused = { ...answer, state: 'refused', text: 'Nobody knows.' } as const;
    await check(['answer', id], { answer: () => ({ answer: refused }) }, { code: 4, stdout: 'does not answer' });
    const pending = {
      message: id,
      type: 'query',
      from: 'person',
      at: '',
      state: 'waits for its turn',
      subject: '',
    } as const;
    const stdout = 'There is no answer yet: waits for its turn.';
    await check(['answer', id], { answer: () => ({ pending }) }, { code: 5, stdout });
    const left = { pending: { ...pending, state: 'accepted by x, and waits for an owner of the vault' } };
    await check(['answer', id], { answer: () => left }, { code: 5, stdout: '    ravel daemon' });
    const ended = { pending: { ...pending, state: 'refused: there is no plan x' } };
    const never = 'There will be no answer: refused: there is no plan x.';
    await check(['answer', id], { answer: () => ended }, { code: 4, stdout: never });
  });
});

test('ravel routing lists messages without a receiver, counts the rest, and shows damaged ones', async () => {
  await check(['routing'], { routing: () => ({ pending: [], total: 0 }) }, { stdout: 'No message is being routed' });
  const row = {
    message: id,
    type: 'dispatch',
    from: 'person',
    at: '',
    state: 'a session looks',
    subject: 'Mend it',
  } as const;
  const routing = () => ({ pending: [row], total: 3 });
  await check(['routing'], { routing }, { stdout: 'a session looks' });
  await check(['routing'], { routing }, { stdout: 'and 2 messages more' });
  const damaged = { message: id, state: 'cannot be read', subject: 'It is not a message.' };
  const unreadable = () => ({ pending: [damaged], total: 1 });
  await check(
    ['routing'],
    { routing: unreadable },
    { stdout: `${id}  ?     ?     cannot be read  It is not a message.` },
  );
});

describe('the inbox of a plan', () => {
  const message = { id, from: 'person', at: '', reason: 'Seen it', body: 'Mend it.\nSoon.', state: 'new' };
  const inbox = (messages: readonly object[]) => {
    const asked: RequestParams<'state'>[] = [];
    const state: NonNullable<FakeHandlers['state']> = (params) => {
      asked.push(params);
      return { result: { messages }, summary: `did ${params.verb}` };
    };
    return { state, asked };
  };

  test('is listed with the commands that answer each message', async () => {
    const { state, asked } = inbox([message]);
    await check(['received', 'demo'], { state }, { stdout: 'ravel received decline demo 000000 --reason WHY' });
    await check(['received', 'list', 'demo', '--all'], { state }, { stdout: '  Mend it. …\n  because: Seen it' });
    await check(['received', 'demo'], { state: inbox([]).state }, { stdout: 'No messages wait under' });
    const declined = inbox([{ ...message, state: 'declined', declined_reason: 'No cat' }]);
    await check(['received', 'demo', '--all'], { state: declined.state }, { stdout: 'declined: No cat' });
    expect(asked.map(({ args }) => args)).toEqual([{ all: false }, { all: true }]);
  });

  test('is answered by promote and decline, which also take the end of an id', async () => {
    const { state, asked } = inbox([message, { ...message, id: other }]);
    const promote = ['--title', 'Mend it', '--category', 'cats'];
    await check(
      ['received', 'promote', 'demo', '000001', ...promote],
      { state },
      { stdout: 'Did received/promote; its sender learns the outcome.\nSee it with' },
    );
    await check(
      ['received', 'decline', 'demo', id, '--reason', 'No cat'],
      { state },
      { stdout: 'its sender learns the outcome' },
    );
    expect(asked.filter(({ verb }) => verb !== 'received/list')).toEqual([
      { plan: 'demo', verb: 'received/promote', args: { id: other, title: 'Mend it', category: 'cats' } },
      { plan: 'demo', verb: 'received/decline', args: { id, reason: 'No cat' } },
    ]);
    const unclear = { code: 2, stderr: '2 messages have an id like' };
    await check(['received', 'decline', 'demo', '01M0', '--reason', 'x'], { state }, unclear);
    const unknown = { code: 3, stderr: 'No message zz waits' };
    await check(['received', 'decline', 'demo', 'zz', '--reason', 'x'], { state }, unknown);
  });
});
