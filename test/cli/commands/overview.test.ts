import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { formatOverview, nextCommand } from '../../../src/cli/render/overview.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import { widthOf } from '../../../src/cli/render/text.ts';
import { diagnostic, failure } from '../../../src/model/codes.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { ApprovalRow } from '../../../src/model/requests/approvals.ts';
import type { PlanRow } from '../../../src/model/requests/plans.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts } from '../fakePorts.ts';
import { sampleRow, sampleSession } from '../samples.ts';

const spending = {
  days: [{ day: '2026-01-02', usd: 1.5, estimatedUsd: 0, scriptedUsd: 0, sessions: 3, unknownSessions: 0, plans: [] }],
  ...{ reservedUsd: 0, vaultUsdPerDay: 10, planUsdPerDay: 0, until: '2026-01-03T00:00:00Z' },
};
const question: ApprovalRow = {
  ...{ approval: sampleSession, kind: 'needs-input', plan: toQualifiedId('demo/project-root') },
  ...{ createdAt: '2026-01-02T03:04:05Z', subject: 'Which colour?' },
} as ApprovalRow;
const idle = sampleRow({ counts: { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 } });
const broken = sampleRow({ ...idle, faults: [diagnostic('plan/badPhase', 'demo', 'The phase is unknown.')] });
const running = sampleRow({ running: { session: sampleSession, phase: 'work', task: 'fix-it' } });

test.each<[string, readonly PlanRow[], readonly ApprovalRow[], string]>([
  ['a vault without plans is given a project', [], [], 'ravel adopt DIR --description TEXT'],
  ['an idle vault is given a task', [idle], [], 'ravel plan "GOAL" --under demo/project-root'],
  ['a ready task is run', [idle, sampleRow()], [], 'ravel run demo/project-root'],
  ['what runs is watched', [running], [], 'ravel attach demo/project-root'],
  ['a fault comes before what is ready', [sampleRow(), broken], [], 'ravel status demo/project-root'],
  [
    'an unfinished phase comes first of the plans',
    [broken, sampleRow({ waiting: 'it failed' })],
    [],
    'ravel retry demo/project-root',
  ],
  [
    'a question comes before all',
    [broken, sampleRow({ waiting: 'it asks' })],
    [question],
    `ravel approvals show ${sampleSession}`,
  ],
])('the next step: %s', (_title, plans, approvals, command) => {
  expect(nextCommand({ plans, approvals, brokenPolicies: [] }).command).toBe(command);
});

test('ravel alone shows what runs, waits, is ready and faulted, the cost of today and the next step', async () => {
  const handlers: FakeHandlers = {
    list: () => ({ plans: [running, broken, sampleRow({ waiting: 'it asks' }), sampleRow()], diagnostics: [] }),
    approvals: () => ({ approvals: [question], diagnostics: [] }),
    spending: () => spending,
  };
  const ports = await createFakePorts(handlers);
  expect(await runCommandLine([], ports)).toBe(0);
  const { stdout, stderr } = ports.written;
  expect(stderr).toBe('');
  expect(stdout).toContain('/vault: 4 plans in 1 project\n');
  expect(stdout).toContain('Running: 1\n  demo/project-root  work  fix-it\n');
  expect(stdout).toContain('Waiting for you: 1\n  demo/project-root  needs-input: Which colour?\n');
  expect(stdout).toContain('Faulted: 1\n  demo/project-root  The phase is unknown.\n');
  expect(stdout).toContain('Ready: 1 plan, 2 tasks\n');
  expect(stdout).toContain('Today: $1.50 in 3 sessions, of $10.00\n');
  expect(stdout).toContain(`Next: ravel approvals show ${sampleSession}\n`);
  expect(await runCommandLine(['--json'], ports)).toBe(0);
  expect(JSON.parse(ports.written.stdout.slice(stdout.length))).toMatchObject({
    result: { plans: 4, questions: 1, ready: { count: 1 }, next: { command: expect.stringContaining('approvals') } },
  });
});

test('a policy that cannot be used is told first, with its line and what to do', async () => {
  const start = { line: 2, character: 4 };
  const problem = diagnostic('policy/fileBroken', '/v/policy.yaml', 'The policy cannot be used.', {
    ...{ file: '/v/policy.yaml', range: { start, end: start } },
  });
  const ports = await createFakePorts({
    list: () => ({ plans: [running], diagnostics: [problem] }),
    approvals: () => ({ approvals: [question], diagnostics: [] }),
    spending: () => spending,
  });
  expect(await runCommandLine([], ports)).toBe(0);
  const { stdout } = ports.written;
  expect(stdout).toMatch(
    /error policy\/fileBroken.*\n {2}The policy cannot be used\.\n {2}help: Correct .*\n {2}\/v\/policy\.yaml:3:5\n/,
  );
  expect(stdout).toContain('Next: ravel policy lint\n');
});

test('ten thousand plans take as few lines as ten, none wider than the terminal', () => {
  const plans = Array.from({ length: 10_000 }, (_, n) => sampleRow({ plan: toQualifiedId(`p${n}/project-root`) }));
  const lines = formatOverview(
    { vault: `/${'v'.repeat(100)}`, ...{ plans, approvals: [], spending, brokenPolicies: [] } },
    plainStyle,
    60,
  );
  expect(lines.length).toBeLessThan(20);
  expect(lines).toContain('  and 9997 more: `ravel status --ready`');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(60);
});

test('ravel alone without a vault says what Ravel is, and three ways to begin', async () => {
  const findVault = () => Promise.reject(failure('vault/none', 'vault', 'No vault is named by --vault.'));
  const ports = await createFakePorts({}, { core: { findVault } });
  expect(await runCommandLine([], ports)).toBe(0);
  expect(ports.written.stdout).toMatch(
    /^Ravel works .*\n\n {2}ravel demo .*\n {2}ravel init ~\/vault .*\n {2}ravel --help .*\n/,
  );
});

test('a vault that is named and not there is an error, and so is an unknown command', async () => {
  const findVault = () => Promise.reject(failure('vault/none', '/x', '--vault names "/x", which is not a vault.'));
  const ports = await createFakePorts({}, { core: { findVault } });
  expect(await runCommandLine(['--vault', '/x'], ports)).toBe(3);
  expect(await runCommandLine(['fly'], ports)).toBe(2);
});
