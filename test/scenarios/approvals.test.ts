import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { connect } from '../../src/server/client.ts';
import {
  decide,
  decisions,
  doors,
  makeConflictWorld,
  makeSneakedWorld,
  onlyApproval,
  ravel,
  rewriteAndLearn,
  runIntoConflict,
  type SneakedOptions,
} from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import { whenSaid } from '../support/phaseWorld.ts';
import {
  analysis,
  approvals,
  backlogOf,
  done,
  expectUntouched,
  isVerb,
  onFirst,
  retryPhase,
  runPhase,
  type Step,
  scenarioText,
  statusLines,
  titles,
} from '../support/scenarioRuns.ts';
import { failingDisk } from '../support/tracingDisk.ts';
import { makeWorld, startCore, type World, type WorldOptions } from '../support/world.ts';

describe('a merge conflict', () => {
  test.each([
    ['accept', 'session', /three doors/],
    ['accept', 'person', /four doors/],
  ] as const)(
    '%sed with the side of the %s applies that side, keeps the rest of the session, and commits it',
    async (word, option, side) => {
      const world = await makeConflictWorld();
      const { core, events } = await startCore(world);
      const page = await runIntoConflict(core, world);
      expect(page.shown).toMatch(
        /memory\.yaml › entries › doors › body[\s\S]*two doors[\s\S]*three doors[\s\S]*four doors/,
      );
      const decided = await decide(core.api, page, word, { option, reason: 'I counted' });
      expect(decided).toMatchObject({ report: { end: 'finished', next: 'triage', commits: [{}] } });
      const memory = await world.readPlan('memory.yaml');
      expect(memory).toMatch(side);
      expect(memory).toContain('id: learned');
      expect(await approvals(world)).toEqual([]);
      expect(await decisions(world)).toMatchObject([
        {
          id: page.approval,
          decision: 'accept',
          option,
          reason: 'I counted',
          kind: 'merge-conflict',
          details: page.details,
        },
      ]);
      expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(1);
      expect(events.map(({ type }) => type)).toContain('approval.decided');
      expect((await world.git('-C', world.vault, 'log', '-1', '--format=%s')).trim()).toBe(
        'Record the decision on a merge-conflict',
      );
    },
  );

  test('edited in the person’s editor applies what they wrote', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const editor = join(world.root, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i "/result:/,\\$s/four doors/a dozen doors/" "$1"\n');
    await chmod(editor, 0o755);
    const ran = await ravel(world, ['approvals', 'edit', world.plan], { EDITOR: editor });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(await world.readPlan('memory.yaml')).toMatch(/a dozen doors[\s\S]*id: learned/);
    expect(await decisions(world)).toMatchObject([{ id: page.approval, decision: 'edit' }]);
    expect(readdirSync(join(world.root, 'home')).filter((name) => name.startsWith('ravel-'))).toEqual([]);
  });

  test('is not decided by an edit that the gates refuse', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const text = page.form?.replace(/result:[\s\S]*$/, 'result: [no, text]\n');
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: text ?? '' }))).toMatchObject({
      code: 'gate/refused',
    });
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: 'conflicts: []\n' }))).toMatchObject({
      code: 'approval/badDecision',
    });
    expect(await decisions(world)).toEqual([]);
    expect(await onlyApproval(core.api)).toEqual(page);
    expect(await decide(core.api, page, 'edit', { text: page.form ?? '' })).toMatchObject({
      report: { end: 'finished' },
    });
    expect(await world.readPlan('memory.yaml')).toContain('four doors');
  });

  test('that is rejected drops the phase as dismiss does', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    expect(await decide(core.api, page, 'reject')).toMatchObject({ goOn: 'run' });
    await expectUntouched(core, world, 'reflect');
    expect(await world.readPlan('memory.yaml')).toBe(doors.replace('two doors', 'four doors'));
    expect(await decisions(world)).toMatchObject([{ decision: 'reject' }]);
  });

  test('that has changed is asked about under a new id, and needs a retry once it is settled', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    await world.writePlan('memory.yaml', doors.replace('two doors', 'five doors'));
    const problem = await failureOf(() => decide(core.api, page, 'accept', { option: 'session' }));
    const anew = await onlyApproval(core.api);
    expect(problem).toMatchObject({ code: 'approval/changed', message: expect.stringContaining(anew.approval) });
    expect(anew.approval).not.toBe(page.approval);
    expect(anew.shown).toContain('five doors');
    expect(await failureOf(() => decide(core.api, page, 'accept', { option: 'session' }))).toMatchObject({
      code: 'approval/unknown',
    });
    await world.writePlan('memory.yaml', doors);
    expect(await failureOf(() => decide(core.api, anew, 'accept', { option: 'person' }))).toMatchObject({
      ...{ code: 'approval/changed', help: expect.stringContaining('ravel retry') },
    });
    expect(await decisions(world)).toEqual([]);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished' });
    expect(await decisions(world)).toMatchObject([{ id: anew.approval, decision: 'retry' }]);
    expect(await world.readPlan('memory.yaml')).toContain('three doors');
  });

  test('is not decided if its file was changed by hand or another version of it was shown', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const seen = { ...page, contentHash: 'another' };
    expect(await failureOf(() => decide(core.api, seen, 'reject'))).toMatchObject({ code: 'approval/changed' });
    await writeFile(page.file, (await readFile(page.file, 'utf8')).replaceAll('four doors', 'ten doors'));
    const problem = await failureOf(() => decide(core.api, page, 'accept', { option: 'person' }));
    expect(problem).toMatchObject({ code: 'approval/changed', message: expect.stringContaining('by hand') });
    expect(await decisions(world)).toEqual([]);
  });
});

test('two changes that are valid alone but not together have no sides to accept, and can be rejected', async () => {
  const depend = { call: 'backlog_set_dependencies', with: { id: 'first', dependencies: ['second'] } };
  const world = await makeWorld({
    plan: { 'phase.md': 'triage\n', 'backlog.yaml': backlogOf('first', 'second') },
    scenario: scenarioText({ triage: [depend, done] }),
  });
  const { core } = await startCore(world);
  const edited = backlogOf('first', 'second').replace(/(id: second[\s\S]*?dependencies: )\[\]/, '$1[first]');
  let saved: Promise<void> = Promise.resolve();
  onFirst(core, isVerb('backlog/set-dependencies'), () => {
    saved = world.writePlan('backlog.yaml', edited);
  });
  expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
  await saved;
  const page = await onlyApproval(core.api);
  expect(page).toMatchObject({ options: [], decisions: ['reject'], shown: expect.stringMatching(/^- /) });
  const problem = await failureOf(() => decide(core.api, page, 'accept', { option: 'session' }));
  expect(problem).toMatchObject({ code: 'approval/badDecision', help: expect.stringContaining('ravel retry') });
  await decide(core.api, page, 'reject');
  await expectUntouched(core, world, 'triage');
});

test('in a vault without an owner the command line decides and finishes the phase by itself', async () => {
  const world = await makeConflictWorld();
  const { core, server } = await startCore(world);
  await runIntoConflict(core, world);
  await server.stop();
  await core.stop();
  const ran = await ravel(world, ['approvals', 'accept', '--option', 'person', '--json']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const last = ran.stdout.trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(last)).toMatchObject({
    result: { decision: 'accept', report: { end: 'finished', next: 'triage' } },
  });
  expect(await ravel(world, ['approvals', 'reject'])).toMatchObject({ code: 3 });
});

describe('a decision', () => {
  test('made over two sockets at once counts once, and the other client is told what was decided', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const clients = await Promise.all([1, 2].map(() => connect({ socketPath: core.socketPath, clock: systemClock })));
    const outcomes = await Promise.allSettled(
      clients.map((client, at) => decide(client, page, 'accept', { option: at === 0 ? 'session' : 'person' })),
    );
    for (const client of clients) client.close();
    const [decision, ...others] = await decisions(world);
    expect(others).toEqual([]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const lost = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(lost?.reason).toMatchObject({
      diagnostic: {
        code: 'approval/decided',
        message: expect.stringContaining(`accepted ${page.approval} with "${decision?.option}"`),
      },
    });
    expect(await world.readPlan('memory.yaml')).toContain(
      decision?.option === 'session' ? 'three doors' : 'four doors',
    );
  });

  test('that a full disk held up is carried out by the next owner', async () => {
    const world = await makeConflictWorld();
    const { core, server } = await startCore(world);
    const page = await runIntoConflict(core, world);
    await server.stop();
    await core.stop();
    const matches = (name: string, path: string) => name === 'file.write' && path.includes('resolution.json');
    const failing = await openCore(world, { disk: failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches }) });
    expect(await failureOf(() => decide(failing.api, page, 'accept', { option: 'session' }))).toMatchObject({
      code: 'disk/full',
    });
    const again = await failureOf(() => decide(failing.api, page, 'accept', { option: 'session' }));
    expect(again).toMatchObject({ code: 'approval/decided', help: expect.stringContaining('ravel shutdown') });
    await failing.stop();
    const next = await startCore(world);
    expect(await world.readPlan('memory.yaml')).toContain('three doors');
    const done = await failureOf(() => decide(next.core.api, page, 'accept', { option: 'session' }));
    expect(done?.help).toContain('It holds as it was decided');
  });

  test('cannot be made twice, and the second try is told the first', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    await decide(core.api, page, 'reject', { reason: 'Four it is' });
    for (const word of ['accept', 'reject'] as const) {
      const problem = await failureOf(() => decide(core.api, page, word, { option: 'session' }));
      expect(problem).toMatchObject({
        code: 'approval/decided',
        message: expect.stringMatching(/rejected .*Four it is/),
      });
    }
    expect(await failureOf(() => core.api.request('approval', { approval: page.approval }))).toMatchObject({
      code: 'approval/decided',
    });
  });

  test.each(['', 'nothing', '01M7X4TZFWPVQT6PFG4SYTM4BP', '../../ravel'])(
    'on the unknown id "%s" is refused',
    async (id) => {
      const world = await makeConflictWorld();
      const { core } = await startCore(world);
      const approval = { approval: id, contentHash: 'x' };
      const expected = id === '' ? 'server/badParams' : 'approval/unknown';
      expect(await failureOf(() => decide(core.api, approval, 'reject'))).toMatchObject({ code: expected });
    },
  );

  test('is refused by a core that does not own the vault', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world, { role: 'local' });
    const approval = { approval: '01M7X4TZFWPVQT6PFG4SYTM4BP', contentHash: 'x' };
    expect(await failureOf(() => decide(core.api, approval, 'reject'))).toMatchObject({ code: 'vault/owned' });
    expect(await core.api.request('approvals', {})).toEqual({ approvals: [], diagnostics: [] });
  });

  test('is refused without what the approval needs, or with what it does not take', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world);
    const bad = [
      ['accept', {}],
      ['accept', { option: 'neither' }],
      ['edit', {}],
      ['edit', { text: ' ' }],
      ['reject', { option: 'session' }],
    ] as const;
    for (const [word, more] of bad) {
      expect(await failureOf(() => decide(core.api, page, word, more))).toMatchObject({ code: 'approval/badDecision' });
    }
    expect(await decisions(world)).toEqual([]);
  });
});

describe('a question from a session', () => {
  const asking = { reflect: [{ finish: { outcome: 'needs-input', summary: 'Which colour?' } }] };

  async function ask(): Promise<{ world: World; core: Core }> {
    const world = await makeWorld({
      plan: { 'phase.md': 'reflect\n', 'memory.yaml': doors },
      scenario: scenarioText(asking),
    });
    const { core } = await startCore(world);
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'waiting', approval: (await onlyApproval(core.api)).approval });
    return { world, core };
  }

  test('answered on the command line is given to the next session, with every earlier answer', async () => {
    const { world, core } = await ask();
    const shown = await ravel(world, ['approvals', 'show', world.plan]);
    const { approval } = await onlyApproval(core.api);
    expect(shown.stdout).toContain(`ravel approvals accept ${approval} --answer TEXT`);
    expect(shown.stdout).toContain('Which colour?');
    const ran = await ravel(world, ['approvals', 'accept', approval.slice(-6), '--answer', 'Blue,\nas the logo is']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(`ravel retry ${world.plan}`);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'waiting' });
    await decide(core.api, await onlyApproval(core.api), 'accept', { text: 'Still blue' });
    await writeFile(world.scenario, scenarioText({ reflect: rewriteAndLearn }));
    const report = await retryPhase(core, world);
    expect(report).toMatchObject({ end: 'finished' });
    const session = join(world.vault, 'runtime/sessions', report.session);
    const prompt = readFileSync(join(session, 'prompt.md'), 'utf8');
    expect(prompt).toMatch(/> Which colour\?[\s\S]*> Blue,\n> as the logo is[\s\S]*> Still blue/);
    const { given } = JSON.parse(readFileSync(join(session, 'context.json'), 'utf8'));
    expect(given).toContainEqual(expect.objectContaining({ name: 'prompt/ANSWERS', reason: expect.any(String) }));
    const state = readFileSync(join(world.vault, 'runtime/plans/greeter%2Fproject-root.yaml'), 'utf8');
    expect(state).not.toContain('Blue');
  });

  test('cannot be accepted without an answer, and drops its phase when it is rejected', async () => {
    const { world, core } = await ask();
    const page = await onlyApproval(core.api);
    expect(await failureOf(() => decide(core.api, page, 'accept'))).toMatchObject({
      code: 'approval/badDecision',
      message: 'To accept this, give the answer with --answer TEXT.',
      help: expect.stringContaining(`ravel approvals show ${page.approval}`),
    });
    expect(await failureOf(() => decide(core.api, page, 'edit', { text: 'x' }))).toMatchObject({
      code: 'approval/badDecision',
    });
    await decide(core.api, page, 'reject');
    await expectUntouched(core, world, 'reflect');
  });

  test('is answered by a retry or a dismissal of its phase', async () => {
    const { world, core } = await ask();
    await retryPhase(core, world);
    await core.api.request('dismiss', { plan: world.plan });
    expect(await decisions(world)).toMatchObject([{ decision: 'retry' }, { decision: 'dismiss' }]);
    const { plan, vault } = world;
    const log = await world.git('-C', vault, 'log', '-2', '--format=%s|%b', '--', 'decisions');
    const title = 'Record the decision on a needs-input';
    expect(log.split('\n').filter((line) => line !== '')).toEqual([
      `${title}|${plan}: dismiss`,
      `${title}|${plan}: retry`,
    ]);
    expect(await world.git('-C', vault, 'status', '--porcelain', '--', 'decisions')).toBe('');
  });

  test('accepted with --run continues the phase at once', async () => {
    const { world, core } = await ask();
    await writeFile(world.scenario, scenarioText({ reflect: rewriteAndLearn }));
    const ran = await ravel(world, ['approvals', 'accept', '--answer', 'Blue', '--run']);
    expect(ran).toMatchObject({ code: 0 });
    expect((await core.api.request('status', { plan: world.plan })).phase).toBe('triage');
  });
});

describe('a change that no verb accounts for', () => {
  async function sneak(options: SneakedOptions = {}): Promise<{ world: World; core: Core }> {
    const world = await makeSneakedWorld(options);
    const { core } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting', next: 'work' });
    return { world, core };
  }

  test('is kept as the person’s when it is accepted, and the proposal is applied', async () => {
    const { world, core } = await sneak();
    const page = await onlyApproval(core.api);
    expect(page.shown).toContain('+ # mine');
    expect(await decide(core.api, page, 'accept')).toMatchObject({ report: { end: 'finished', next: 'analyse-work' } });
    expect(await world.readPlan('memory.yaml')).toBe(`${doors}# mine\n`);
    expect(await world.readPlan('backlog.yaml')).toContain('It works.');
  });

  test('is undone when it is rejected, with a copy kept, and the proposal is applied', async () => {
    const { world, core } = await sneak();
    const decided = await decide(core.api, await onlyApproval(core.api), 'reject');
    expect(decided).toMatchObject({ report: { end: 'finished', next: 'analyse-work' } });
    expect(await world.readPlan('memory.yaml')).toBe(doors);
    expect(await world.readPlan('backlog.yaml')).toContain('It works.');
    const [, folder = ''] = /copies of what they had become are in (\S+),/.exec(decided.did) ?? [];
    expect(readFileSync(join(folder, 'memory.yaml'), 'utf8')).toBe(`${doors}# mine\n`);
  });

  test('that is a new file is moved away when rejected; a file that was never committed cannot be put back', async () => {
    const { world, core } = await sneak({ text: 'sneaked\n', file: 'new.md' });
    const page = await onlyApproval(core.api);
    expect(page.shown).toContain('new.md is new');
    const { did } = await decide(core.api, page, 'reject');
    expect(existsSync(join(world.planDirectory, 'new.md'))).toBe(false);
    expect(readFileSync(join(did.match(/in (\S+),/)?.[1] ?? '', 'new.md'), 'utf8')).toBe('sneaked\n');

    const lost = await sneak({
      ...{ text: 'sneaked\n', file: 'note.md' },
      plan: { 'note.md': 'never committed\n' },
    });
    const question = await onlyApproval(lost.core.api);
    expect(question.shown).toContain('what it was is not known');
    const problem = await failureOf(() => decide(lost.core.api, question, 'reject'));
    expect(problem).toMatchObject({
      code: 'gate/refused',
      message: expect.stringContaining('note.md cannot be put back'),
    });
    await decide(lost.core.api, question, 'accept');
    expect(await lost.world.readPlan('note.md')).toBe('never committed\nsneaked\n');
  });

  test('that was undone meanwhile is asked about again, and then the proposal is applied', async () => {
    const { world, core } = await sneak();
    const page = await onlyApproval(core.api);
    await world.writePlan('memory.yaml', doors);
    expect(await failureOf(() => decide(core.api, page, 'accept'))).toMatchObject({ code: 'approval/changed' });
    const anew = await onlyApproval(core.api);
    expect(anew.shown).toBe('Every file is as it was.');
    expect(await decide(core.api, anew, 'accept')).toMatchObject({ report: { end: 'finished', next: 'analyse-work' } });
  });

  test('that broke its file cannot be accepted', async () => {
    const { core } = await sneak({ text: '  - [\n' });
    const page = await onlyApproval(core.api);
    expect(await failureOf(() => decide(core.api, page, 'accept'))).toMatchObject({ code: 'gate/refused' });
    expect(await decide(core.api, page, 'reject')).toMatchObject({ report: { end: 'finished' } });
  });
});

describe('a commit that needs a decision', () => {
  async function workTwice(options: WorldOptions = {}): Promise<{ world: World; core: Core }> {
    const world = await makeWorld({
      plan: { 'backlog.yaml': backlogOf('first') },
      files: { 'a.txt': 'a\n', 'b.txt': 'b\n' },
      scenario: scenarioText({
        work: [
          { edit: { path: 'a.txt', replace: 'dirty', with: 'changed twice' } },
          { edit: { path: 'b.txt', replace: 'dirty', with: 'changed twice' } },
          { edit: { path: 'mine.txt', content: 'x\n' } },
          done,
        ],
        'analyse-work': analysis(['Do the work', 'mine.txt']),
      }),
      ...options,
    });
    for (const name of ['a', 'b']) await world.write(`${name}.txt`, `${name}\ndirty\n`);
    const { core } = await startCore(world);
    await runPhase(core, world);
    return { world, core };
  }

  test.each([
    ['include', [], ['Do the work', 'Add what had begun before in 2 files']],
    ['leave-out', ['a.txt', 'b.txt'], ['Do the work']],
  ] as const)('on files that were dirty before work follows the option %s', async (option, dirty, made) => {
    const { world, core } = await workTwice();
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
    const page = await onlyApproval(core.api);
    expect(page).toMatchObject({ kind: 'dirty-source-changed', options: ['include', 'leave-out'] });
    expect(await decide(core.api, page, 'accept', { option })).toMatchObject({
      report: { end: 'finished', next: 'reflect' },
    });
    expect((await titles(world)).slice(1, 1 + made.length)).toEqual(made);
    const left = (await statusLines(world)).filter((line) => dirty.some((name) => line.endsWith(name)));
    expect(left).toHaveLength(dirty.length);
    expect(await world.read('a.txt')).toBe('a\nchanged twice\n');
  });

  test('on several dirty files can be decided for each file', async () => {
    const { world, core } = await workTwice();
    await runPhase(core, world);
    const page = await onlyApproval(core.api);
    for (const text of ['paths: { a.txt: include }\n', 'paths: { a.txt: perhaps, b.txt: include }\n', '[']) {
      const problem = await failureOf(() => decide(core.api, page, 'edit', { text }));
      expect(problem).toMatchObject({ code: 'approval/badDecision' });
    }
    const text = page.form?.replace('a.txt: leave-out', 'a.txt: include') ?? '';
    expect(await decide(core.api, page, 'edit', { text })).toMatchObject({ report: { end: 'finished' } });
    expect(await world.git('show', '--format=%s', '--name-only', 'HEAD~1')).toBe(
      'Add what had begun before in a file\n\na.txt\n',
    );
  });

  test('on files that changed since is asked about again; rejected, it leaves its phase interrupted', async () => {
    const { world, core } = await workTwice();
    await runPhase(core, world);
    const page = await onlyApproval(core.api);
    await world.write('a.txt', 'a\nonce more\n');
    const problem = await failureOf(() => decide(core.api, page, 'accept', { option: 'include' }));
    expect(problem).toMatchObject({ code: 'approval/changed' });
    const anew = await onlyApproval(core.api);
    expect(await decide(core.api, anew, 'reject')).toMatchObject({ goOn: 'retry' });
    const status = await core.api.request('status', { plan: world.plan });
    expect(status).toMatchObject({ phase: 'git-commit-work', interrupted: { phase: 'git-commit-work' } });
    expect(await titles(world)).toEqual(['Start']);
  });

  test('on another branch than that of the work is made there once a person accepts it', async () => {
    const work = [{ edit: { path: 'mine.txt', content: 'x\n' } }, done];
    const scenario = scenarioText({ work, 'analyse-work': analysis(['Do the work', 'mine.txt']) });
    const { world, core } = await workTwice({ scenario });
    await world.git('switch', '--quiet', '--create', 'elsewhere');
    await runPhase(core, world);
    const page = await onlyApproval(core.api);
    expect(page.shown).toMatch(/main[\s\S]*elsewhere/);
    await world.git('switch', '--quiet', 'main');
    expect(await failureOf(() => decide(core.api, page, 'accept'))).toMatchObject({ code: 'approval/changed' });
    await world.git('switch', '--quiet', 'elsewhere');
    expect(await decide(core.api, page, 'accept')).toMatchObject({ report: { end: 'finished', next: 'reflect' } });
    expect(await titles(world)).toContain('Do the work');
    expect((await world.git('log', '--format=%s', 'main')).trim()).toBe('Start');
  });
});

describe('a command that needs a person’s approval', () => {
  const odd: Step = { run: { command: 'frobnicate --all' } };

  test('is asked about once, and an acceptance allows it once, in the retry too', async () => {
    const world = await makeWorld({
      plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
      scenario: scenarioText({ work: [odd, odd, { say: 'denied twice' }, { hang: true }] }),
    });
    const { core, events } = await startCore(world);
    const deniedTwice = whenSaid(core, 'denied twice');
    const running = runPhase(core, world).catch(() => undefined);
    await deniedTwice;
    const page = await onlyApproval(core.api);
    expect(page).toMatchObject({ kind: 'tool-request', shown: expect.stringContaining('frobnicate --all') });
    expect(await decide(core.api, page, 'accept')).toMatchObject({ did: expect.stringContaining('once') });
    await core.api.request('stop', { plan: world.plan });
    await running;
    expect(events.filter(({ type }) => type === 'approval.opened')).toHaveLength(1);
    await writeFile(world.scenario, scenarioText({ work: [odd, odd, done] }));
    await retryPhase(core, world);
    const outputs = events.flatMap((event) =>
      event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.output] : [],
    );
    const denied = outputs.slice(0, 4).map((text) => /A person was asked/.test(text));
    expect(denied).toEqual([true, true, false, true]);
    expect(readdirSync(join(world.vault, 'runtime/grants'))).toEqual([]);
    expect(await approvals(world)).toEqual([]);
  });

  test.each([
    ['accept', {}, false],
    ['reject', { reason: 'Never that' }, true],
  ] as const)('waits for the decision with approval-wait-seconds: %s', async (word, more, isDenied) => {
    const world = await makeWorld({
      settings: '[gates]\napproval-wait-seconds = 60\n',
      plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
      scenario: scenarioText({ work: [odd, done] }),
    });
    const { core, events } = await startCore(world);
    const running = runPhase(core, world);
    await decide(core.api, await whenAsked(core), word, more);
    await running;
    const told = JSON.stringify(events.filter(({ type }) => type === 'session.output'));
    expect(told.includes('said no. They say: Never that')).toBe(isDenied);
    expect(told.includes('frobnicate: not found') || told.includes('command not found')).toBe(!isDenied);
  });

  async function whenAsked(core: Core) {
    await new Promise<void>((resolve) => {
      const listening = core.api.onEvent((event) => {
        if (event.type !== 'approval.opened') return;
        listening.dispose();
        resolve();
      });
    });
    return onlyApproval(core.api);
  }
});

describe('a pre-work program', () => {
  async function makeChecked(script: string, mode = 0o755): Promise<World> {
    const world = await makeWorld({
      plan: { 'backlog.yaml': backlogOf('first'), 'pre-work.sh': script },
      scenario: scenarioText({ work: [done] }),
    });
    await chmod(join(world.planDirectory, 'pre-work.sh'), mode);
    return world;
  }

  const checks = '#!/bin/sh\npwd > ran.txt\nenv > env.txt\necho checked\n';

  test('runs before work once it was accepted, and is asked about again when it changes', async () => {
    const world = await makeChecked(checks);
    const { core } = await startCore({ ...world, environment: { ...world.environment, SECRET: 'x' } });
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting', phase: 'work', next: 'work' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(false);
    expect(existsSync(join(world.vault, 'runtime/staging'))).toBe(false);
    expect(await failureOf(() => runPhase(core, world))).toMatchObject({ code: 'plan/waiting' });
    expect(await retryPhase(core, world)).toMatchObject({ end: 'waiting' });
    const page = await onlyApproval(core.api);
    expect(page.shown).toContain('echo checked');
    expect(await decide(core.api, page, 'accept')).toMatchObject({ goOn: 'run' });
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'finished', next: 'analyse-work' });
    expect((await world.read('ran.txt')).trim()).toBe(world.project);
    expect(await world.read('env.txt')).not.toContain('SECRET');
    const output = join(world.vault, 'runtime/sessions', report.session, 'pre-work.log');
    expect(readFileSync(output, 'utf8')).toBe('checked\n');

    await world.writePlan('phase.md', 'work\n');
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    await world.writePlan('phase.md', 'work\n');
    await world.writePlan('pre-work.sh', `${checks}echo more\n`);
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
    const changed = await onlyApproval(core.api);
    await world.writePlan('pre-work.sh', `${checks}echo most\n`);
    expect(await failureOf(() => decide(core.api, changed, 'accept'))).toMatchObject({ code: 'approval/changed' });
    expect((await onlyApproval(core.api)).shown).toContain('echo most');
  });

  test('that fails keeps work from starting, and its output is reported', async () => {
    const world = await makeChecked('#!/bin/sh\necho the tests are red\nexit 3\n');
    const { core } = await startCore(world);
    await runPhase(core, world);
    await decide(core.api, await onlyApproval(core.api), 'accept');
    const problem = await failureOf(() => runPhase(core, world));
    expect(problem).toMatchObject({
      code: 'plan/preWorkFailed',
      message: expect.stringMatching(/code 3.*the tests are red/),
    });
    expect((await core.api.request('status', { plan: world.plan })).interrupted).toMatchObject({ phase: 'work' });
    expect(existsSync(join(world.vault, 'runtime/staging'))).toBe(false);
    await world.writePlan('pre-work.sh', '#!/bin/sh\nexit 0\n');
    expect(await retryPhase(core, world)).toMatchObject({ end: 'waiting' });
    expect(await decide(core.api, await onlyApproval(core.api), 'accept')).toMatchObject({ goOn: 'retry' });
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished' });
  });

  test('does not run if it is not executable, or before a phase other than work', async () => {
    const world = await makeChecked(checks, 0o644);
    const { core } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(false);
    await chmod(join(world.planDirectory, 'pre-work.sh'), 0o755);
    await writeFile(world.scenario, scenarioText({ 'analyse-work': analysis(['Do the work', '.']) }));
    expect(await runPhase(core, world)).toMatchObject({ phase: 'analyse-work', end: 'finished' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(false);
  });

  test('is also asked about before a phase by hand', async () => {
    const world = await makeChecked(checks);
    const { core } = await startCore(world);
    const begin = () => core.api.request('begin_by_hand', { plan: world.plan });
    expect(await failureOf(begin)).toMatchObject({
      code: 'plan/waiting',
      help: expect.stringContaining('approvals show'),
    });
    await decide(core.api, await onlyApproval(core.api), 'accept');
    expect(await begin()).toMatchObject({ phase: 'work' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(true);
  });

  test('that is rejected does not run, and the next run asks again', async () => {
    const world = await makeChecked(checks);
    const { core } = await startCore(world);
    await runPhase(core, world);
    await decide(core.api, await onlyApproval(core.api), 'reject');
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
    expect(existsSync(join(world.project, 'ran.txt'))).toBe(false);
  });
});

test('the record of an earlier session is removed before work only if the session log holds it', async () => {
  const record = 'id: a-session\ntimestamp: "2026-01-02T03:04:05Z"\nphase: work\nbody: x\n';
  const log = `sessions:\n  - ${record.replaceAll('\n', '\n    ').trimEnd()}\n`;
  const world = await makeWorld({
    plan: { 'backlog.yaml': backlogOf('first'), 'latest-session.yaml': record, 'session-log.yaml': 'sessions: []\n' },
    scenario: scenarioText({ work: [done] }),
  });
  const { core } = await startCore(world);
  await runPhase(core, world);
  expect(await world.readPlan('latest-session.yaml')).toBe(record);
  await world.writePlan('phase.md', 'work\n');
  await world.writePlan('session-log.yaml', log);
  await runPhase(core, world);
  expect(existsSync(join(world.planDirectory, 'latest-session.yaml'))).toBe(false);
});

test('an approval that cannot be read is reported, and its phase can be retried', async () => {
  const world = await makeConflictWorld();
  const { core } = await startCore(world);
  const page = await runIntoConflict(core, world);
  await writeFile(page.file, 'kind: [\n');
  const listed = await core.api.request('approvals', {});
  expect(listed).toMatchObject({ approvals: [], diagnostics: [{ code: 'approval/unreadable' }] });
  await world.writePlan('memory.yaml', doors);
  expect(await retryPhase(core, world)).toMatchObject({ end: 'finished' });
  expect(await approvals(world)).toEqual([]);
  const memory = await world.readPlan('memory.yaml');
  expect([memory.includes('three doors'), memory.includes('four doors')]).toEqual([true, false]);
});
