import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts } from '../fakePorts.ts';
import { samplePlan, sampleRow, sampleSession, sampleStatus } from '../samples.ts';

async function check(args: readonly string[], handlers: FakeHandlers, expected: RegExp, role = 'local'): Promise<void> {
  const ports = await createFakePorts(handlers);
  expect(await runCommandLine(args, ports)).toBe(0);
  expect(ports.written.stdout).toMatch(expected);
  expect(ports.asked).toEqual([`open /vault as ${role}`, 'stop']);
}

test('status of all', () =>
  check(['status'], { list: () => ({ plans: [sampleRow()], diagnostics: [] }) }, /demo\/project-root +work +2 +1 +3/));
test('status of one', () =>
  check(['status', 'demo'], { status: ({ plan }) => sampleStatus({ description: `of ${plan}` }) }, /of demo/));
test('stop, which may have to take a session over', () =>
  check(['stop', 'demo'], { stop: () => ({ stopped: true }) }, /The run is stopped/, 'owner'));
test('stop of nothing', () =>
  check(['stop', 'demo'], { stop: () => ({ stopped: false }) }, /Nothing of this plan/, 'owner'));
test('dismiss needs the owner', () =>
  check(['dismiss', samplePlan], { dismiss: () => ({ dismissed: sampleSession }) }, /is dismissed/, 'owner'));
