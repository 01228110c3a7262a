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

test('output for people has notes, events and results, and errors on standard error', async () => {
  const { stdout, stderr } = await say({});
  expect(stdout).toBe('a remark\n\n▶ work\none\ntwo\n');
  expect(stderr).toMatch(/^error cli\/noOwner {2}demo\n/);
});

test('--quiet prints only results and errors', async () => {
  const { stdout, stderr } = await say({ quiet: true });
  expect(stdout).toBe('one\ntwo\n');
  expect(stderr).toMatch(/^error/);
});

test('--json prints events, results and errors as JSON lines, and nothing on standard error', async () => {
  const { stdout, stderr } = await say({ json: true });
  expect(jsonLines(stdout)).toMatchObject([{ event }, { result: { a: 1 } }, { error: { code: 'cli/noOwner' } }]);
  expect(stderr).toBe('');
});

test('--json with --quiet leaves out the events', async () => {
  expect(jsonLines((await say({ json: true, quiet: true })).stdout)).toHaveLength(2);
});

test.each([
  [true, 'error cli/noOwner  demo\n'],
  [false, 'error cli/noOwner  demo\n  Nothing runs.\n'],
])(
  'an error that was an event just before is printed once if both go to the same screen: %s',
  async (isTty, expected) => {
    const ports = await createFakePorts({}, { isTty, environment: { NO_COLOR: '1' } });
    const context = createContext(ports, { color: false });
    const problem = diagnostic('cli/noOwner', 'demo', 'Nothing runs.');
    context.event(sampleEvent({ type: 'diagnostic', diagnostic: problem }));
    context.error(problem);
    context.close();
    expect(ports.written.stdout).toContain('Nothing runs.');
    expect(ports.written.stderr.startsWith(expected)).toBe(true);
    expect(ports.written.stderr.includes('Nothing runs.')).toBe(!isTty);
  },
);
