import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../src/base/clock.ts';
import type { RequestName, RequestParams } from '../../src/model/protocol.ts';
import { connect } from '../../src/server/client.ts';
import { connectRaw } from '../server/socket.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** A vault with its owner, and a client of the owner's socket. */
async function makeClient() {
  const world = await makeWorld();
  const { core, events } = await startCore(world);
  const client = await connect({ socketPath: core.socketPath, clock: systemClock });
  onTestFinished(() => client.close());
  return { world, core, client, events };
}

interface Refused<Name extends RequestName = RequestName> {
  readonly name: Name;
  readonly params: (world: World) => RequestParams<Name>;
  readonly code: string;
  readonly message: RegExp;
}

function refused<Name extends RequestName>(
  name: Name,
  params: (world: World) => RequestParams<Name>,
  code: string,
  message: RegExp,
): Refused {
  return { name, params, code, message } as unknown as Refused;
}

const large = 'x'.repeat(5_000_000);
const long = 'x'.repeat(5_000);
const child = (name: string) => `greeter/project-root/${name}`;
const deep = child(Array(60).fill('x'.repeat(100)).join('/'));

const table: readonly (readonly [string, Refused])[] = [
  [
    'a plan with an escape',
    refused('create', () => ({ plan: child('a\u001b[2Jb'), description: 'x' }), 'plan/badId', /a path cannot have/),
  ],
  [
    'a plan with a right-to-left override',
    refused('create', () => ({ plan: child('a\u202eb'), description: 'x' }), 'plan/badId', /a path cannot have/),
  ],
  [
    'a plan with a NUL',
    refused('create', () => ({ plan: child('a\0b'), description: 'x' }), 'plan/badId', /a path cannot have/),
  ],
  [
    'a plan with half a character',
    refused('create', () => ({ plan: child('a\ud800'), description: 'x' }), 'plan/badId', /half of a character/),
  ],
  [
    'a plan with ".." in it',
    refused('create', () => ({ plan: child('../../x'), description: 'x' }), 'plan/badId', /starts with a dot/),
  ],
  [
    'a plan of 5 MB',
    refused('create', () => ({ plan: child(large), description: 'x' }), 'server/badParams', /plan: .*4096/),
  ],
  [
    'a plan deeper than a path can be',
    refused('create', () => ({ plan: deep, description: 'x' }), 'server/badParams', /plan: .*4096/),
  ],
  [
    'a description with an escape',
    refused(
      'create',
      () => ({ plan: child('a'), description: 'x\u001b[2Jy' }),
      'plan/badDescription',
      /control character/,
    ),
  ],
  [
    'a description of 5 MB',
    refused('create', () => ({ plan: child('a'), description: large }), 'plan/badDescription', /5000000 characters/),
  ],
  [
    'a plan below a symlink',
    refused('create', () => ({ plan: child('link/a'), description: 'x' }), 'plan/exists', /symlink/),
  ],
  ['a status of 5 MB', refused('status', () => ({ plan: large }), 'server/badParams', /plan: .*4096/)],
  ['the status of "__proto__"', refused('status', () => ({ plan: '__proto__' }), 'plan/unknown', /__proto__/)],
  [
    'a new name below a symlink',
    refused('rename', () => ({ plan: child('old'), to: child('link/a') }), 'plan/exists', /symlink/),
  ],
  [
    'a new name with an escape',
    refused('rename', () => ({ plan: child('old'), to: child('a\u009b2J') }), 'plan/badId', /a path cannot have/),
  ],
  [
    'a new name of 5 MB',
    refused('rename', () => ({ plan: child('old'), to: large }), 'server/badParams', /to: .*4096/),
  ],
  [
    'a project with an escape',
    refused('rename_project', () => ({ project: 'greeter', to: 'a\u009b2J' }), 'plan/badId', /a path cannot have/),
  ],
  [
    'an adoption with a NUL',
    refused(
      'adopt',
      ({ root }) => ({ project: `${root}/a\0b`, description: 'x' }),
      'server/badParams',
      /project: .*NUL/,
    ),
  ],
  [
    'an adoption under a name with a right-to-left override',
    refused(
      'adopt',
      ({ root }) => ({ project: `${root}/other`, description: 'x', name: 'a\u202eb' }),
      'plan/badId',
      /a path cannot have/,
    ),
  ],
  [
    'an import with a NUL',
    refused(
      'import',
      () => ({ directory: '/a\0b', plan: child('a'), description: 'x' }),
      'server/badParams',
      /directory: .*NUL/,
    ),
  ],
  [
    'an archive with a NUL',
    refused('restore', () => ({ archive: 'plans/a\0b' }), 'server/badParams', /archive: .*NUL/),
  ],
  [
    'an archive outside of its folder',
    refused('restore', () => ({ archive: 'plans/../../..' }), 'archive/unknown', /There is no archive/),
  ],
  [
    'a scenario with a NUL',
    refused(
      'run_phase',
      ({ plan }) => ({ plan, harness: 'scripted', scenario: '/a\0b' }),
      'server/badParams',
      /scenario: .*NUL/,
    ),
  ],
  [
    'a note of 5 MB',
    refused('send', ({ plan }) => ({ to: plan, type: 'note', text: large }), 'message/tooLong', /1048576/),
  ],
  [
    'a blank note',
    refused('send', ({ plan }) => ({ to: plan, type: 'note', text: ' \u2028\n' }), 'server/badParams', /text/),
  ],
  [
    'a message with a path as its id',
    refused(
      'send',
      ({ plan }) => ({ to: plan, type: 'note', text: 'x', id: '../../x' }) as never,
      'server/badParams',
      /ULID/,
    ),
  ],
  [
    'a title of 5 MB',
    refused(
      'state',
      ({ plan }) => ({ plan, verb: 'backlog/add', args: { title: large, category: 'c' } }),
      'state/badArguments',
      /title: it has to be a text of at most 200 characters/,
    ),
  ],
  [
    'the verb "constructor"',
    refused('state', ({ plan }) => ({ plan, verb: 'constructor', args: {} }), 'state/unknownVerb', /constructor/),
  ],
  [
    'a transcript by a path',
    refused('transcript', () => ({ session: '../../../etc/passwd' }), 'session/unknown', /is not a session id/),
  ],
  [
    'a phase by hand by a path',
    refused('drop_manual_run', ({ plan }) => ({ plan, session: '../..' }), 'run/notManual', /no phase/),
  ],
  ['a letter by a path', refused('redeliver', () => ({ message: '../..' }), 'message/noDeadLetter', /no dead letter/)],
  ['a request of 5 MB', refused(large as 'verify', () => ({}), 'server/unknownRequest', /There is no request "x+…"/)],
  ['a letter of 5 MB', refused('discard', () => ({ message: large }), 'server/badParams', /message: .*4096/)],
  [
    'a verb of 5 MB',
    refused('state', ({ plan }) => ({ plan, verb: large, args: {} }), 'server/badParams', /verb: .*4096/),
  ],
  ['an approval of 5 MB', refused('approval', () => ({ approval: large }), 'server/badParams', /approval: .*4096/)],
  [
    'a decision with a hash of 5 MB',
    refused(
      'decide',
      () => ({ approval: 'x', decision: 'reject', contentHash: large }),
      'server/badParams',
      /contentHash: .*4096/,
    ),
  ],
  ['a session of 5 MB', refused('transcript', () => ({ session: large }), 'server/badParams', /session: .*4096/)],
  [
    'a call of a session by long names',
    refused(
      'session_call',
      () => ({ session: long, token: long, call: long, tool: long, args: {} }),
      'server/badParams',
      /session: .*4096.*token: .*4096.*call: .*4096.*tool: .*4096/,
    ),
  ],
  [
    'a terminal of 5 MB',
    refused('close_terminal', () => ({ terminal: large }), 'server/badParams', /terminal: .*4096/),
  ],
  ['an answer to a query of 5 MB', refused('answer', () => ({ query: large }), 'server/badParams', /query: .*4096/)],
  [
    'a message of 5 MB in the history',
    refused('routes', () => ({ message: large }), 'server/badParams', /message: .*4096/),
  ],
  ['a list below a plan of 5 MB', refused('list', () => ({ under: large }), 'server/badParams', /under: .*4096/)],
  ['a task of 5 MB', refused('run_phase', ({ plan }) => ({ plan, task: large }), 'server/badParams', /task: .*4096/)],
];

test('a malformed or oversized parameter is refused with a short sentence and a remedy, and changes nothing', {
  timeout: 120_000,
}, async () => {
  const { world, client } = await makeClient();
  mkdirSync(join(world.root, 'other'));
  await client.request('create', { plan: child('old'), description: 'Is there' });
  symlinkSync(join(world.root, 'other'), join(world.planDirectory, 'link'));
  const before = listTree(world.project);
  for (const [what, { name, params, code, message }] of table) {
    const problem = await failureOf(() => client.request(name, params(world)));
    expect([what, problem.code]).toEqual([what, code]);
    expect(problem.message).toMatch(message);
    expect(problem.message.length).toBeLessThan(1000);
    expect(problem.help).not.toBe('');
    expect(listTree(world.project)).toEqual(before);
  }
  expect((await client.request('actors', {})).actors).toEqual([]);
});

/** Texts that must survive the way into a file and back. */
const texts: Readonly<Record<string, string>> = {
  'control characters': 'a\u0000\u001b[2J\u007f\u0085\u009b\u2028\u2029z',
  'Windows line ends': 'one\r\ntwo\r\n\r\nthree',
  'a byte order mark': 'one\ufefftwo\ufeff!',
  'YAML syntax': '&a [*a]\n---\n%YAML 1.1\n...\n\t- !!js/function x: {{{ "',
  'text directions and joined emoji': '\u202eabc 👩\u200d🚀 e\u0301',
  'a megabyte of lines': 'Zeile für Zeile.\n'.repeat(50_000),
};

describe('a text from a client', () => {
  test.each(Object.entries(texts))('keeps %s in a message', async (_name, text) => {
    const { world, core, client } = await makeClient();
    const handled = nextEvent(core, 'message.handled');
    await client.request('send', { to: world.plan, type: 'dispatch', reason: 'Now', body: text });
    expect(await handled).toMatchObject({ outcome: { kind: 'done' } });
    const [received] = (parse(await world.readPlan('backlog.yaml')) as { received: { body: string }[] }).received;
    expect(received?.body.trimEnd()).toBe(text.trimEnd());
  });

  test.each(Object.entries({ ...texts, 'five megabytes of lines': `${'Zeile '.repeat(20)}\n`.repeat(42_000) }))(
    'keeps %s in a task, but with one kind of line end',
    async (_name, text) => {
      const { world, client } = await makeClient();
      const args = { title: 'T', category: 'c', description: text };
      await client.request('state', { plan: world.plan, verb: 'backlog/add', args });
      const { tasks } = parse(await world.readPlan('backlog.yaml')) as { tasks: { description: string }[] };
      // A state file has one kind of line end.
      expect(tasks[0]?.description.trimEnd()).toBe(text.replaceAll('\r\n', '\n').trimEnd());
      const { result } = await client.request('state', { plan: world.plan, verb: 'backlog/show', args: { id: 't' } });
      expect(result).toMatchObject({ description: tasks[0]?.description });
    },
  );
});

test('invalid UTF-8 changes nothing, and the connection stays open', async () => {
  const { world, core } = await makeClient();
  const raw = await connectRaw(core.socketPath);
  onTestFinished(() => void raw.socket.destroy());
  const line = (text: string) =>
    JSON.stringify({ id: 1, request: 'send', params: { to: world.plan, type: 'note', text } });
  const [before = '', after = ''] = line('|').split('|');
  raw.socket.write(Buffer.concat([Buffer.from(before), Buffer.from([0xc3, 0x28]), Buffer.from(`${after}\n`)]));
  expect(await raw.lines.waitFor(1)).toMatchObject([{ error: { code: 'server/badParams' } }]);
  const handled = nextEvent(core, 'message.handled');
  raw.socket.write(`${line('Sound again')}\n`);
  await handled;
  const text = readFileSync(join(world.planDirectory, 'backlog.yaml'), 'utf8');
  expect(text.match(/body: /g)).toHaveLength(1);
  expect(text).toContain('Sound again');
});
