import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failure } from '../../../src/model/codes.ts';
import { judgeToolRequest } from '../../../src/plans/sessions/toolJudgement.ts';
import { makePlanWorld } from '../../support/planServices.ts';
import { storedSecretsOf } from '../../support/storedSecrets.ts';

const value = 'plain words that open a door';

async function makeSession(storedSecrets = storedSecretsOf({ name: 'DOOR', value })) {
  const world = await makePlanWorld();
  const { transaction, paths } = await world.begin('work');
  const services = { ...world.services, storedSecrets };
  const session = { services, transaction, paths, location: world.location };
  return {
    judge: (tool_name: string, input: Record<string, unknown>) => judgeToolRequest(session, { tool_name, input }),
    project: world.location.projectDirectory,
    events: world.events,
  };
}

test.each<[string, string, Record<string, unknown>]>([
  ['a command', 'Bash', { command: `echo ${value}` }],
  ['a command, quoted and split', 'Bash', { command: `echo 'plain words that '"open a"\\\n' door'` }],
  ['a command, in Base64', 'Bash', { command: `echo ${Buffer.from(value).toString('base64')}` }],
  ['an address', 'Bash', { command: `curl https://example.org/?q=${encodeURIComponent(value)}` }],
  ['the text of a file', 'Write', { file_path: 'a.json', content: JSON.stringify({ key: value }) }],
  ['an edit', 'Edit', { file_path: 'a.txt', old_string: 'a', new_string: value.toUpperCase() }],
  ['edits, in two pieces', 'Edit', { file_path: 'a', edits: [{ new: value.slice(0, 9) }, { new: value.slice(9) }] }],
  ['the name of a field', 'Write', { file_path: 'a.txt', content: 'a', [value]: 'a' }],
  ['the path of a file', 'Read', { file_path: `docs/${value}.md` }],
])('a request with a stored secret in %s is refused, and no event repeats it', async (_where, tool, input) => {
  const { judge, events } = await makeSession();
  const verdict = await judge(tool, input);
  expect(verdict).toMatchObject({ decision: 'deny' });
  const event = events.at(-1);
  expect(event).toMatchObject({ type: 'gate.judged', outcome: 'reject' });
  expect(event).toMatchObject({ gate: 'secrets', reason: expect.stringContaining('DOOR') });
  const told = JSON.stringify([verdict, event]);
  for (const piece of [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]) {
    expect(told).not.toContain(piece);
  }
});

test('what an earlier gate refuses is told without the value', async () => {
  const { judge, events } = await makeSession();
  const verdict = await judge('Write', { file_path: join('ravel', `${value}.md`), content: '' });
  expect(verdict).toMatchObject({ decision: 'deny', gate: 'protected' });
  expect(JSON.stringify([verdict, events.at(-1)])).not.toContain(value);
});

test('requests without a stored secret are judged as before', async () => {
  const { judge } = await makeSession();
  expect(await judge('Bash', { command: 'ls src' })).toMatchObject({ decision: 'allow' });
  expect(await judge('Write', { file_path: 'a.txt', content: 'plain words' })).toMatchObject({ decision: 'allow' });
});

test('while a stored secret cannot be read, no tool is used, and the session is told why', async () => {
  const locked = failure('secrets/unreadable', 'DOOR', 'The secret DOOR: its program failed.');
  const { judge } = await makeSession(() => Promise.reject(locked));
  expect(await judge('Bash', { command: 'ls' })).toMatchObject({
    ...{ decision: 'deny', gate: 'secrets', retryable: false },
    reason: expect.stringContaining('The secret DOOR: its program failed.'),
  });
});
