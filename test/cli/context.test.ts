import { expect, test } from 'vitest';
import { createContext, type Globals } from '../../src/cli/context.ts';
import { diagnostic } from '../../src/model/codes.ts';
import { createFakePorts, jsonLines } from './fakePorts.ts';
import { sampleEvent } from './samples.ts';

const event = sampleEvent({ type: 'phase.started', phase: 'work' });

async function say(globals: Partial<Globals>): Promise<{ stdout: string; stderr: string }> {
  const ports = await createFakePorts({});
  const context = createContext(ports, { color: true, ...globals });
  context.note(['a remark']);
  context.event(event);
  context.result({ a: 1 }, ['one', 'two']);
  context.error(diagnostic('cli/noOwner', 'demo', 'Nothing runs.'));
  context.close();
  return ports.written;
}

test('for people', async () => {
  const { stdout, stderr } = await say({});
  expect(stdout).toBe('a remark\n\n▶ work\none\ntwo\n');
  expect(stderr).toMatch(/^error cli\/noOwner {2}demo\n/);
});

test('for people in a hurry', async () => {
  const { stdout, stderr } = await say({ quiet: true });
  expect(stdout).toBe('one\ntwo\n');
  expect(stderr).toMatch(/^error/);
});

test('for scripts', async () => {
  const { stdout, stderr } = await say({ json: true });
  expect(jsonLines(stdout)).toMatchObject([{ event }, { result: { a: 1 } }, { error: { code: 'cli/noOwner' } }]);
  expect(stderr).toBe('');
});

test('for scripts in a hurry', async () => {
  expect(jsonLines((await say({ json: true, quiet: true })).stdout)).toHaveLength(2);
});
