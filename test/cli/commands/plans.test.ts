import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic, exitCodes } from '../../../src/model/codes.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts } from '../fakePorts.ts';
import { samplePlan, sampleRow, sampleSession, sampleStatus } from '../samples.ts';

async function check(args: readonly string[], handlers: FakeHandlers, expected: RegExp, role = 'local'): Promise<void> {
  const ports = await createFakePorts({
    approvals: () => ({ approvals: [], diagnostics: [] }),
    settings: () => ({ settings: [], isOutdated: false, diagnostics: [] }),
    ...handlers,
  });
  expect(await runCommandLine(args, ports)).toBe(0);
  expect(ports.written.stdout).toMatch(expected);
  expect(ports.asked).toEqual([`open /vault as ${role}`, 'stop']);
}

test('ravel status lists all plans', () =>
  check(['status'], { list: () => ({ plans: [sampleRow()], diagnostics: [] }) }, /demo\/project-root +work +2 +1 +3/));
test('ravel status passes its filters on, and says how to see the rest', () => {
  const list: FakeHandlers['list'] = (params) => {
    const { plans, next } = { plans: [sampleRow({ description: JSON.stringify(params) })], next: samplePlan };
    expect(params).toEqual({
      under: 'demo',
      phase: 'dream',
      waiting: true,
      ready: true,
      text: 'x',
      limit: 1,
      after: 'a',
    });
    return { plans, total: 7, next, diagnostics: [] };
  };
  const flags = ['--under', 'demo', '--phase', 'compact', '--waiting', '--ready', '--text', 'x', '--limit', '1'];
  return check(
    ['status', ...flags, '--after', 'a'],
    { list },
    /1 of 7 plans; continue with --after demo\/project-root\n/,
  );
});
test('ravel status says if no plan fits the filters', () =>
  check(['status', '--running'], { list: () => ({ plans: [], diagnostics: [] }) }, /^No plan matches\.\n$/));
test('ravel status with plans that cannot be found does not say that there are none', () => {
  const lost = diagnostic('project/badLink', 'projects/shop', 'It leads to /shop, which does not exist.');
  return check(
    ['status'],
    { list: () => ({ plans: [], diagnostics: [lost] }) },
    /^No plan could be read\.\n[\s\S]*\/shop/,
  );
});
test.each([
  ['a plan with a filter', ['demo', '--running'], /leave out the plan, or the options/],
  ['an unknown phase', ['--phase', 'sleep'], /not a phase; the phases are work, analyse-work/],
  ['a limit of 0', ['--limit', '0'], /not a whole number above 0/],
])('ravel status refuses %s', async (_name, args, expected) => {
  const ports = await createFakePorts({});
  expect(await runCommandLine(['status', ...args], ports)).toBe(2);
  expect(ports.written.stderr).toMatch(expected);
  expect(ports.asked).toEqual([]);
});
test('ravel status with a plan shows that plan', () =>
  check(['status', 'demo'], { status: ({ plan }) => sampleStatus({ description: `of ${plan}` }) }, /of demo/));
test('ravel status says what waits for a person, for the vault and for a plan', async () => {
  const subject = 'Bash frobnicate: It is not on the list.\nIt asks again.';
  const row = { approval: sampleSession, kind: 'tool-request', plan: samplePlan, subject } as const;
  const given = { createdAt: '2026-01-02T03:04:05Z', options: [], decisions: [], contentHash: '' };
  const approvals: NonNullable<FakeHandlers['approvals']> = (params) => {
    const isAsked = params.plan === undefined || (params.plan === 'demo' && params.kind === 'tool-request');
    return { approvals: isAsked ? [{ ...row, ...given }] : [], diagnostics: [] };
  };
  const list = () => ({ plans: [sampleRow()], diagnostics: [] });
  await check(['status'], { list, approvals }, /\n\n1 question needs your answer; see `ravel approvals`\.\n$/);
  const end = /\n {2}Its session asks you: Bash frobnicate: It .*\n +Answer with `ravel approvals show \w+`\.\n$/;
  await check(['status', 'demo'], { status: () => sampleStatus(), approvals }, end);
});
test('ravel status says in a line that daemon.toml was changed and is not in force yet', () => {
  const list = () => ({ plans: [sampleRow()], diagnostics: [] });
  const settings = () => ({ settings: [], isOutdated: true, diagnostics: [] });
  return check(['status'], { list, settings }, /\n\ndaemon\.toml was edited, .*`ravel settings`\.\n$/);
});
test('ravel stop becomes the owner, and says that the run is stopped', () =>
  check(['stop', 'demo'], { stop: () => ({ stopped: true }) }, /The run is stopped/, 'owner'));
test('ravel stop says that it forgot a paused run', () =>
  check(['stop', 'demo'], { stop: () => ({ stopped: true, forgot: true }) }, /^The paused run is forgotten/, 'owner'));
test('ravel stop says if nothing runs', () =>
  check(['stop', 'demo'], { stop: () => ({ stopped: false }) }, /Nothing of this plan/, 'owner'));
test('ravel context says why no session could start, with the exit code of a run', async () => {
  const problem = diagnostic('yaml/syntax', samplePlan, 'A list is not closed.');
  const ports = await createFakePorts({
    status: () => sampleStatus(),
    context: () => ({ plan: samplePlan, phase: 'work', given: [], systemPrompt: '', prompt: '', problem }),
  });
  expect(await runCommandLine(['context', 'demo'], ports)).toBe(exitCodes.invalid);
  expect(ports.written.stderr).toMatch(/No session can start\. A list is not closed/);
});
const dismissed = sampleSession;
const keptIn = '/vault/runtime/interrupted/x';
test.each([
  [
    { dismissed, phase: 'work', keptIn },
    /was dropped; a copy is kept in \/vault\/runtime\/interrupted\/x\nIf it changed the source/,
  ],
  [{ dismissed, phase: 'reflect', keptIn }, /kept in \/vault\/runtime\/interrupted\/x\n$/],
  [
    { dismissed, phase: 'git-commit-work', withdrawn: sampleSession },
    /^The question \w+ is withdrawn\. The next run begins with git-commit-work again, and it asks again unless/,
  ],
  [{ dismissed, phase: 'git-commit-work' }, /^The next run begins with git-commit-work again\.\n$/],
] as const)('ravel dismiss becomes the owner and says what happened: %j', (result, said) =>
  check(['dismiss', samplePlan], { dismiss: () => result }, said, 'owner'),
);
