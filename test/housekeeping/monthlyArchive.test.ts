import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createUlids, deriveUlid } from '../../src/base/ulid.ts';
import { createChores } from '../../src/housekeeping/chores.ts';
import type { AnswerWord, Approval, ApprovalKind } from '../../src/model/approval.ts';
import type { Ulid } from '../../src/model/id.ts';
import { loadApproval, openApproval, removeApproval } from '../../src/plans/approvals/approvals.ts';
import { commitDecision } from '../../src/plans/approvals/decisionCommits.ts';
import { listDecisions, loadDecision, recordDecision } from '../../src/plans/approvals/decisions.ts';
import { loadAnswer, saveAnswer } from '../../src/questions/answers.ts';
import { failureOf } from '../support/failureOf.ts';
import { ManualClock } from '../support/manualClock.ts';
import { openCore } from '../support/openCore.ts';
import { demoPlan, makePlanWorld } from '../support/planServices.ts';

const dayMs = 86_400_000;

/** A vault with a repository of its own, whose decisions and answers are made at the times of its clock. */
async function makeVault(settings: object = {}) {
  const clock = new ManualClock();
  const world = await makePlanWorld({ clock, settings });
  const { services, layout } = world;
  const git = async (...args: string[]) => {
    const env = { ...process.env, HOME: world.folder, GIT_CONFIG_NOSYSTEM: '1' };
    return (await promisify(execFile)('git', args, { cwd: layout.root, env })).stdout.trim();
  };
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'Start');
  const nextUlid = createUlids(clock);
  const chores = createChores(services, { all: async () => ({ plans: [], diagnostics: [] }) }, () => false);
  const chore = chores.find(({ name }) => name === 'Old decisions and answers');
  return {
    ...{ world, services, layout, clock, git },
    tidy: () => chore?.run(new AbortController().signal),
    async decide(
      kind: ApprovalKind = 'needs-input',
      { decision = 'accept' as AnswerWord, isOpen = false, id = nextUlid() as Ulid } = {},
    ): Promise<Ulid> {
      const isOfVault = kind === 'rule-suggestion';
      const of = isOfVault ? {} : { plan: demoPlan, session: services.newUlid() };
      await openApproval(services, { kind, ...of, subject: 'Which?', options: [], details: {} } as never, id);
      const made = await recordDecision(services, (await loadApproval(services, id)) as Approval, { decision });
      if (!isOpen) await removeApproval(services, id);
      if (made !== undefined) await commitDecision(services, made);
      return id;
    },
    async answer(query = nextUlid() as Ulid): Promise<Ulid> {
      const at = new Date(clock.wallMs()).toISOString();
      const said = { question: 'Who?', from: 'person' as const, by: demoPlan, text: 'Ada.', citations: [] };
      await saveAnswer(services, { query, at, state: 'answered', ...said });
      return query;
    },
    decisions: () => readdirSync(layout.decisions).filter((name) => name !== '.gitkeep'),
  };
}

test('decisions and answers of earlier months go into folders by month and are found as before', async () => {
  const { services, layout, clock, git, tidy, decide, answer, decisions } = await makeVault();
  const [decided, answered] = [await decide(), await answer()];
  const before = [await loadDecision(services, decided), await loadAnswer(services, answered)];
  clock.advance(60 * dayMs);
  const [young, youngAnswer] = [await decide(), await answer()];
  clock.advance(31 * dayMs);
  expect(await tidy()).toEqual({ removed: 0, bytes: 0, problems: [] });
  expect(decisions()).toEqual([`${young}.yaml`]);
  expect(readdirSync(layout.answers).sort()).toEqual([`${youngAnswer}.yaml`, '2026-01'].sort());
  expect(existsSync(`${layout.archive}/decisions/2026-01/${decided}.yaml`)).toBe(true);
  expect([await loadDecision(services, decided), await loadAnswer(services, answered)]).toEqual(before);
  expect(await git('log', '-1', '--format=%s')).toBe('Archive a decision');
  expect(await git('show', '--format=', '--name-status', '--find-renames')).toMatch(/^R100\tdecisions\//);
  expect(await git('status', '--porcelain', '--', 'decisions', 'archive')).toBe('');
});

test('what a command asks for is found in the archive', async () => {
  const { world, clock, tidy, decide, answer } = await makeVault();
  const [decided, suggested, answered] = [await decide(), await decide('rule-suggestion'), await answer()];
  clock.advance(91 * dayMs);
  await tidy();
  const core = await openCore({ vault: world.layout.root, environment: {} }, { clock });
  const { api } = core;
  expect(await api.request('answer', { query: answered })).toMatchObject({ answer: { text: 'Ada.' } });
  const shown = await failureOf(() => api.request('approval', { approval: decided }));
  expect(shown).toMatchObject({ code: 'approval/decided', message: expect.stringContaining('ada accepted') });
  for (const subject of [`suggestion:${suggested}`, `answer:${answered}`]) {
    expect(JSON.stringify(await api.request('why', { subject }))).not.toContain('not kept');
  }
  await core.stop();
});

test('records that still hold, are being carried out or cannot be read stay in place', async () => {
  const { world, services, clock, tidy, decide, decisions } = await makeVault();
  const rejected = await decide('rule-suggestion', { decision: 'reject' });
  const accepted = await decide('rule-suggestion');
  const allowed = await decide('repository-hooks');
  const open = await decide('needs-input', { isOpen: true });
  const unreadable = await decide();
  world.write(`vault/decisions/${unreadable}.yaml`, 'decision: perhaps\n');
  clock.advance(91 * dayMs);
  await tidy();
  expect(decisions()).toEqual([rejected, allowed, open, unreadable].map((id) => `${id}.yaml`));
  expect((await listDecisions(services, 'rule-suggestion')).map(({ id }) => id)).toEqual([rejected]);
  expect((await loadDecision(services, accepted))?.decision).toBe('accept');
});

test('an id whose time says nothing goes by the time in its file', async () => {
  const { services, layout, clock, tidy, decide, answer } = await makeVault();
  const ids = [deriveUlid(['a']) as Ulid, deriveUlid(['b']) as Ulid] as const;
  await decide('needs-input', { id: ids[0] });
  await answer(ids[1]);
  clock.advance(89 * dayMs);
  await tidy();
  expect([existsSync(layout.decision(ids[0])), existsSync(layout.answer(ids[1]))]).toEqual([true, true]);
  clock.advance(2 * dayMs);
  await tidy();
  expect([existsSync(layout.decision(ids[0])), existsSync(layout.answer(ids[1]))]).toEqual([false, false]);
  expect([await loadDecision(services, ids[0]), await loadAnswer(services, ids[1])]).toMatchObject([{}, {}]);
});

test('moves that a crash came before the commit of are committed the next time', async () => {
  const { layout, clock, git, tidy, decide } = await makeVault();
  const id = await decide();
  clock.advance(91 * dayMs);
  await promisify(execFile)('mkdir', ['-p', `${layout.archive}/decisions/2026-01`]);
  await promisify(execFile)('mv', [layout.decision(id), `${layout.archive}/decisions/2026-01/`]);
  await tidy();
  expect(await git('status', '--porcelain', '--', 'decisions', 'archive')).toBe('');
});

test('with commit = "never" the move is left to the person', async () => {
  const { clock, git, tidy, decide } = await makeVault({ vault: { commit: 'never' } });
  await decide();
  clock.advance(91 * dayMs);
  await tidy();
  expect(await git('log', '--format=%s')).toBe('Start');
  expect(await git('status', '--porcelain', '--', 'archive')).toBe('?? archive/decisions/');
});
