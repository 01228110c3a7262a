import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import { isUlid, type Ulid } from '../../../src/model/id.ts';
import type { RequestParams, RequestResults } from '../../../src/model/protocol.ts';
import { type FakeHandlers, fakePlan } from '../../support/fakeApi.ts';
import { createFakePorts, type FakeOptions, type FakePorts } from '../fakePorts.ts';

const id = '01M00000000000000000000000' as Ulid;
const session = '01S00000000000000000000000' as Ulid;

interface Options extends FakeOptions {
  /** What becomes of a note at once. */
  readonly received?: 'read' | 'dead';
}

/** As an owner does: the plan reads the note once the request is answered. */
async function answerAndRead(
  sentAs: string | undefined,
  answer: Promise<RequestResults['send']> | RequestResults['send'],
  { api }: Pick<FakePorts, 'api'>,
  { received = 'read' }: Options,
): Promise<RequestResults['send']> {
  const sent = await answer;
  const about = { at: '2026-01-02T03:04:05Z', actor: sent.to, message: sentAs as Ulid, from: 'person' } as const;
  const note = { ...about, messageType: 'note' } as const;
  if (received === 'read') api.emit({ ...note, type: 'message.handled', outcome: { kind: 'done', summary: '' } });
  if (received === 'dead') api.emit({ ...note, type: 'message.dead', reason: 'Its backlog cannot be read.' });
  return sent;
}

async function check(
  args: readonly string[],
  handlers: FakeHandlers,
  expected: {
    readonly code?: number;
    readonly stdout?: string;
    readonly stdoutPart?: string;
    readonly stderr?: string;
  },
  options: Options = {},
): Promise<void> {
  const { send } = handlers;
  const reading: FakeHandlers =
    send === undefined
      ? {}
      : { send: (params, signal) => answerAndRead(params.id, send(params, signal), ports, options) };
  const ports: FakePorts = await createFakePorts({ ...handlers, ...reading }, options);
  const { code = 0, stdout, stdoutPart = '', stderr = '' } = expected;
  expect(await runCommandLine(args, ports)).toBe(code);
  if (stdout !== undefined) expect(ports.written.stdout).toBe(stdout);
  expect(ports.written.stdout).toContain(stdoutPart);
  expect(ports.written.stderr).toContain(stderr);
}

/** Answers `send`, and keeps what was sent, without the ids. */
function sending(running?: Ulid): {
  readonly send: NonNullable<FakeHandlers['send']>;
  readonly sent: RequestParams<'send'>[];
} {
  const sent: RequestParams<'send'>[] = [];
  const send: NonNullable<FakeHandlers['send']> = ({ id: sentAs = '', ...params }) => {
    expect(isUlid(sentAs)).toBe(true);
    sent.push(params);
    return { message: id, to: fakePlan, ...(running !== undefined && { session: running }) };
  };
  return { send, sent };
}

describe('a note', () => {
  test('says whether a session reads it or it waits', async () => {
    const { send, sent } = sending();
    const waits = 'No session is running; the note waits under "received" of demo/project-root.\n';
    await check(['note', 'demo', 'Mind the cat.'], { send }, { stdout: waits });
    expect(sent).toEqual([{ to: 'demo', type: 'note', text: 'Mind the cat.' }]);
    const told = 'The running session gets the note with its next step.\n';
    await check(['note', 'demo', 'Mind the cat.'], { send: sending(session).send }, { stdout: told });
  });

  test('that the plan has not read yet is said to be in its mailbox, and a dead one to be a dead letter', async () => {
    const { send } = sending();
    const ports = await createFakePorts({ send });
    const schedule = (_delayMs: number, callback: () => void) => systemClock.schedule(0, callback);
    const code = await runCommandLine(['note', 'demo', 'Hi.'], { ...ports, clock: { ...systemClock, schedule } });
    expect([code, ports.written.stdout]).toEqual([
      0,
      `The note is in the mailbox of demo/project-root, which has not read it yet: ${id}\n    ravel actors\n`,
    ]);
    const dead = `✗ demo/project-root could not take in the message ${id}: Its backlog cannot be read.`;
    await check(['note', 'demo', 'Hi.'], { send }, { code: 5, stdoutPart: dead }, { received: 'dead' });
  });

  test('can come from standard input, and answers a script in JSON', async () => {
    const { send, sent } = sending();
    const stdout = `${JSON.stringify({ result: { message: id, to: fakePlan, delivery: { kind: 'read', to: fakePlan } } })}\n`;
    await check(['note', 'demo', '-', '--json'], { send }, { stdout }, { stdin: 'Mind\nthe cat.' });
    expect(sent).toEqual([{ to: 'demo', type: 'note', text: 'Mind\nthe cat.' }]);
  });
});

test.each(['', ' \n'])('a blank note is refused: %j', async (stdin) => {
  const ports = await createFakePorts({}, { stdin });
  expect(await runCommandLine(['note', 'demo', '-'], ports)).toBe(2);
  expect(ports.written.stderr).toContain('The note is empty.');
  expect(ports.asked).toEqual([]);
});

test('a note whose owner died is sent again under the same id, three times at most', async () => {
  const ids: (string | undefined)[] = [];
  const dying = (deaths: number, code: 'server/gone' | 'message/noDeadLetter'): NonNullable<FakeHandlers['send']> => {
    return (params) => {
      ids.push(params.id);
      if (ids.length <= deaths) throw failure(code, 'connection', 'It is gone.');
      return { message: id, to: fakePlan };
    };
  };
  const stdout = 'No session is running; the note waits under "received" of demo/project-root.\n';
  const args = ['note', 'demo', 'Mind the cat.'];
  await check(args, { send: dying(2, 'server/gone') }, { stdout });
  expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  ids.length = 0;
  await check(args, { send: dying(9, 'server/gone') }, { code: 1, stdout: '', stderr: 'server/gone' });
  expect(ids).toHaveLength(3);
  ids.length = 0;
  await check(
    args,
    { send: dying(9, 'message/noDeadLetter') },
    { code: 3, stdout: '', stderr: 'message/noDeadLetter' },
  );
  expect(ids).toHaveLength(1);
});

test('a note to an expert fails, as the owner refuses it', async () => {
  const send = ({ to }: { to: string }) => {
    throw failure('expert/questionsOnly', to, 'expert:rust answers questions and takes in nothing else.');
  };
  const refused = { code: 4, stderr: 'expert/questionsOnly' };
  await check(['note', 'expert:rust', 'Why?'], { send }, refused);
});

test('actors are listed and revived', async () => {
  const row = { actor: fakePlan, state: 'active', queued: 1, deadLetters: 0 } as const;
  const table = 'ACTOR              STATE   WAITING  DEAD LETTERS\ndemo/project-root  active  1        0\n';
  await check(['actors'], { actors: () => ({ actors: [row] }) }, { stdout: table });
  const revive: NonNullable<FakeHandlers['revive']> = ({ actor }) => ({
    ...row,
    state: actor === 'demo' ? 'active' : 'faulted',
    wasFaulted: true,
  });
  await check(['revive', 'demo'], { revive }, { stdout: table });
});

test('ravel revive says that a healthy plan was not stopped', async () => {
  const revive = () => ({ actor: fakePlan, state: 'active', queued: 1, deadLetters: 0, wasFaulted: false }) as const;
  const ports = await createFakePorts({ revive });
  expect(await runCommandLine(['revive', 'demo'], ports)).toBe(0);
  expect(ports.written.stdout).toContain(`${fakePlan} was not stopped`);
});

describe('dead letters', () => {
  const at = '2026-01-02T03:04:05Z';
  const letter = {
    message: id,
    actor: fakePlan,
    type: 'note',
    from: 'person',
    at,
    attempts: 1,
    reason: 'no',
    text: 'x',
  };

  test('are listed for the vault or for one plan', async () => {
    const asked: unknown[] = [];
    const dead_letters: NonNullable<FakeHandlers['dead_letters']> = (params) => {
      asked.push(params);
      return { deadLetters: [letter] };
    };
    const stdout = `${JSON.stringify({ result: { deadLetters: [letter] } })}\n`;
    for (const args of [['dead-letters'], ['dead-letters', 'list'], ['dead-letters', 'list', 'demo']]) {
      await check([...args, '--json'], { dead_letters }, { stdout });
    }
    expect(asked).toEqual([{}, {}, { actor: 'demo' }]);
  });

  test('are redelivered or discarded by the beginning of their id', async () => {
    const answer = () => ({ message: id, actor: fakePlan });
    const again = `demo/project-root is given the message ${id} once more.\n`;
    await check(['dead-letters', 'redeliver', '01M'], { redeliver: answer }, { stdout: again });
    const gone = `The message ${id} for demo/project-root is dropped.\n`;
    await check(['dead-letters', 'discard', '01M'], { discard: answer }, { stdout: gone });
    const unknown = () => {
      throw failure('message/noDeadLetter', '01X', 'there is no dead letter 01X');
    };
    await check(['dead-letters', 'discard', '01X'], { discard: unknown }, { code: 3, stderr: 'message/noDeadLetter' });
  });
});
