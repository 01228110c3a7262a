import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import {
  decide,
  doors,
  makeUnattributedWorld,
  onlyApproval,
  type UnattributedOptions,
} from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { analysis, backlogOf, done, runPhase, scenarioText, statusLines, titles } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World, type WorldOptions } from '../support/world.ts';

describe('a change that no verb accounts for', () => {
  async function changeUnattributed(options: UnattributedOptions = {}): Promise<{ world: World; core: Core }> {
    const world = await makeUnattributedWorld(options);
    const { core } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting', next: 'work' });
    return { world, core };
  }

  test('is kept as the person’s when it is accepted, and the proposal is applied', async () => {
    const { world, core } = await changeUnattributed();
    const page = await onlyApproval(core.api);
    expect(page.shown).toContain('+ # mine');
    expect(await decide(core.api, page, 'accept')).toMatchObject({ report: { end: 'finished', next: 'analyse-work' } });
    expect(await world.readPlan('memory.yaml')).toBe(`${doors}# mine\n`);
    expect(await world.readPlan('backlog.yaml')).toContain('It works.');
  });

  test('is undone when it is rejected, with a copy kept, and the proposal is applied', async () => {
    const { world, core } = await changeUnattributed();
    const decided = await decide(core.api, await onlyApproval(core.api), 'reject');
    expect(decided).toMatchObject({ report: { end: 'finished', next: 'analyse-work' } });
    expect(await world.readPlan('memory.yaml')).toBe(doors);
    expect(await world.readPlan('backlog.yaml')).toContain('It works.');
    const [, folder = ''] = /copies of their changed texts are in (\S+),/.exec(decided.did) ?? [];
    expect(readFileSync(join(folder, 'memory.yaml'), 'utf8')).toBe(`${doors}# mine\n`);
  });

  test('a change that no verb accounts for that is a new file is moved away when rejected; a file that was never committed cannot be restored', async () => {
    const { world, core } = await changeUnattributed({ text: 'sneaked\n', file: 'new.md' });
    const page = await onlyApproval(core.api);
    expect(page.shown).toContain('new.md is new');
    const { did } = await decide(core.api, page, 'reject');
    expect(existsSync(join(world.planDirectory, 'new.md'))).toBe(false);
    expect(readFileSync(join(did.match(/in (\S+),/)?.[1] ?? '', 'new.md'), 'utf8')).toBe('sneaked\n');

    const lost = await changeUnattributed({
      ...{ text: 'sneaked\n', file: 'note.md' },
      plan: { 'note.md': 'never committed\n' },
    });
    const question = await onlyApproval(lost.core.api);
    expect(question.shown).toContain('what it was is not known');
    const problem = await failureOf(() => decide(lost.core.api, question, 'reject'));
    expect(problem).toMatchObject({
      code: 'gate/refused',
      message: expect.stringContaining('note.md cannot be restored'),
    });
    await decide(lost.core.api, question, 'accept');
    expect(await lost.world.readPlan('note.md')).toBe('never committed\nsneaked\n');
  });

  test('a change that no verb accounts for that was undone meanwhile is asked about again, and then the proposal is applied', async () => {
    const { world, core } = await changeUnattributed();
    const page = await onlyApproval(core.api);
    await world.writePlan('memory.yaml', doors);
    expect(await failureOf(() => decide(core.api, page, 'accept'))).toMatchObject({ code: 'approval/changed' });
    const anew = await onlyApproval(core.api);
    expect(anew.shown).toBe('Every file is as it was.');
    expect(await decide(core.api, anew, 'accept')).toMatchObject({ report: { end: 'finished', next: 'analyse-work' } });
  });

  test('a change that no verb accounts for that broke its file cannot be accepted', async () => {
    const { core } = await changeUnattributed({ text: '  - [\n' });
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
    ['include', [], ['Do the work', 'Commit earlier changes to 2 files']],
    ['leave-out', ['a.txt', 'b.txt'], ['Do the work']],
  ] as const)('on files that were dirty before work follows the option %s', async (option, dirty, made) => {
    const { world, core } = await workTwice();
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
    const page = await onlyApproval(core.api);
    expect(page).toMatchObject({ kind: 'dirty-source-changed', options: ['include', 'leave-out'] });
    expect(await failureOf(() => decide(core.api, page, 'accept', { option: 'includ' }))).toMatchObject({
      code: 'approval/badDecision',
      message:
        '“includ” is not an option of this question. To accept this, say which: --option include or --option leave-out.',
    });
    expect(await decide(core.api, page, 'accept', { option })).toMatchObject({
      report: { end: 'finished', next: 'reflect' },
    });
    expect((await titles(world)).slice(1, 1 + made.length)).toEqual(made);
    const left = (await statusLines(world)).filter((line) => dirty.some((name) => line.endsWith(name)));
    expect(left).toHaveLength(dirty.length);
    expect(await world.read('a.txt')).toBe('a\nchanged twice\n');
  });

  test('on dirty files that the session names itself tells of no commit that was not made', async () => {
    const work = [
      { edit: { path: 'a.txt', replace: 'dirty', with: 'changed twice' } },
      { edit: { path: 'mine.txt', content: 'x\n' } },
      done,
    ];
    const scenario = scenarioText({ work, 'analyse-work': analysis(['Do the work', '.']) });
    const { world, core } = await workTwice({ scenario });
    await runPhase(core, world);
    const events: RavelEvent[] = [];
    core.api.onEvent((event) => events.push(event));
    const page = await onlyApproval(core.api);
    expect(await decide(core.api, page, 'accept', { option: 'include' })).toMatchObject({
      did: '1 file went in with this work.',
      report: { end: 'finished' },
    });
    expect(events.filter(({ type }) => type === 'commit.skipped')).toEqual([]);
    const named = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.message] : []));
    expect(named).toEqual([
      'These paths had changes of yours before work began; they are in no commit of this work: b.txt.',
    ]);
    expect((await titles(world)).slice(1, 2)).toEqual(['Do the work']);
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
    expect(await decide(core.api, page, 'edit', { text })).toMatchObject({
      did: '1 of 2 files went in with this work; the rest stayed out, with your changes in place.',
      report: { end: 'finished' },
    });
    expect(await world.git('show', '--format=%s', '--name-only', 'HEAD~1')).toBe(
      'Commit earlier changes to a file\n\na.txt\n',
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
    expect(await decide(core.api, anew, 'reject')).toMatchObject({ next: 'retry' });
    const status = await core.api.request('status', { plan: world.plan });
    expect(status).toMatchObject({ phase: 'git-commit-work', interrupted: { phase: 'git-commit-work' } });
    expect(await titles(world)).toEqual(['Start']);
  });

  test('is withdrawn by a dismissal, which keeps no copy, and asked again by the next run', async () => {
    const { world, core } = await workTwice();
    const { approval, session } = await runPhase(core, world);
    expect(await core.api.request('dismiss', { plan: world.plan })).toEqual({
      dismissed: session,
      phase: 'git-commit-work',
      withdrawn: approval,
    });
    expect(await runPhase(core, world)).toMatchObject({ phase: 'git-commit-work', end: 'waiting' });
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
