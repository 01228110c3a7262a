import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type QualifiedId, toQualifiedId } from '../../src/model/id.ts';
import { committedText, headOfProject, lastCommitOf } from '../../src/plans/planPast.ts';
import { type EarlierName, runStateSchema, saveRunState } from '../../src/vault/runState.ts';
import { makePlanWorld, type PlanWorld } from '../support/planServices.ts';

const idOf = (name: string): QualifiedId => toQualifiedId(`Demo/project-root/${name}`);

/** A repository in which plans are written and committed under any name, and one plan, which is called `now`. */
class PastWorld {
  readonly #world: PlanWorld;
  readonly #names: EarlierName[] = [];

  constructor(world: PlanWorld) {
    this.#world = world;
  }

  /** Commits the folders of plans as they are by now: their backlogs by name, undefined for one that is gone. */
  async commit(plans: Readonly<Record<string, string | undefined>>, trailer?: string): Promise<string> {
    const { git, write } = this.#world;
    for (const [name, text] of Object.entries(plans)) {
      const folder = `ravel/project-root/${name}`;
      if (text === undefined) await git('rm', '--quiet', '-r', folder);
      else for (const file of ['backlog.yaml', 'plan-state.md']) write(join('Demo', folder, file), text);
    }
    await git('add', '--all');
    const trailers = trailer === undefined ? [] : ['--message', `Ravel-Plan: ${idOf(trailer)}`];
    await git('commit', '--quiet', '--allow-empty', '--message=Commit', ...trailers);
    return (await git('rev-parse', 'HEAD')).trim();
  }

  /** The plan gets its next name: it had this one until now. */
  async rename(from: string, head?: string): Promise<void> {
    const { services, layout } = this.#world;
    this.#names.push({ plan: idOf(from), head: head ?? (await headOfProject(services, 'Demo')) });
    mkdirSync(layout.plans, { recursive: true });
    await saveRunState(nodeDisk, layout, idOf('now'), runStateSchema.parse({ earlierNames: this.#names }));
  }

  textAt(commit: string): Promise<string | undefined> {
    return committedText(this.#world.services, this.#location(), commit, 'backlog.yaml');
  }

  async lastCommit(): Promise<string | undefined> {
    return (await lastCommitOf(this.#world.services, this.#location()))?.hash;
  }

  #location() {
    return { ...this.#world.location, id: idOf('now') };
  }
}

const make = async (): Promise<PastWorld> => new PastWorld(await makePlanWorld({ source: { 'a.txt': 'a\n' } }));

describe('the text of a file as of a commit', () => {
  test('of a plan that was never renamed', async () => {
    const world = await make();
    const without = await world.commit({});
    const first = await world.commit({ now: 'one' });
    await world.commit({ now: 'two' });
    expect(await world.textAt(first)).toBe('one');
    expect(await world.textAt(without)).toBeUndefined();
  });

  test('is the one under the name that the plan had then, over several renames', async () => {
    const world = await make();
    const first = await world.commit({ a: 'one' });
    await world.rename('a');
    const second = await world.commit({ a: undefined, b: 'two' });
    await world.rename('b');
    const third = await world.commit({ b: undefined, now: 'three' });
    const texts = await Promise.all([first, second, third].map((commit) => world.textAt(commit)));
    expect(texts).toEqual(['one', 'two', 'three']);
  });

  test('is the last one under the earlier name while nobody has committed the new one', async () => {
    const world = await make();
    await world.commit({ a: 'one' });
    await world.rename('a');
    await world.rename('b');
    expect(await world.textAt(await world.commit({}))).toBe('one');
  });

  test('is not that of a plan which has the earlier name since', async () => {
    const world = await make();
    await world.commit({ a: 'mine' });
    await world.rename('a');
    expect(await world.textAt(await world.commit({ a: 'of another' }))).toBe('mine');
  });

  test('is not that of a plan which had the present name before', async () => {
    const world = await make();
    const before = await world.commit({ a: 'mine', now: 'of another' });
    await world.rename('a');
    expect(await world.textAt(before)).toBe('mine');
  });

  test('is its own where two plans took each other’s name', async () => {
    const world = await make();
    const before = await world.commit({ a: 'mine', now: 'of another' });
    await world.rename('a');
    await world.rename('between');
    const after = await world.commit({ a: 'of another', now: 'mine too' });
    expect([await world.textAt(before), await world.textAt(after)]).toEqual(['mine', 'mine too']);
  });

  test('is its own where it has its first name again', async () => {
    const world = await make();
    const first = await world.commit({ now: 'one' });
    await world.rename('now');
    const second = await world.commit({ now: undefined, b: 'two' });
    await world.rename('b');
    expect([await world.textAt(first), await world.textAt(second)]).toEqual(['one', 'two']);
  });

  test('is none where the plan was there without the file', async () => {
    const world = await make();
    await world.commit({ a: 'one' });
    await world.rename('a');
    await world.commit({ a: undefined, now: 'two' });
    const without = await world.commit({ 'now/backlog.yaml': undefined });
    expect(await world.textAt(without)).toBeUndefined();
  });

  test('is found by its names alone where the history lost the commit of a rename', async () => {
    const world = await make();
    const first = await world.commit({ a: 'one' });
    await world.rename('a', '0123456789012345678901234567890123456789');
    expect(await world.textAt(first)).toBe('one');
  });
});

describe('the last commit of a plan', () => {
  test('is found under its earlier names, each for as long as it had that', async () => {
    const world = await make();
    await world.commit({}, 'now');
    const mine = await world.commit({ a: 'one' }, 'a');
    await world.rename('a');
    await world.commit({ a: 'of another' }, 'a');
    expect(await world.lastCommit()).toBe(mine);
    await world.rename('b');
    expect(await world.lastCommit()).toBe(mine);
    const newer = await world.commit({ now: 'two' }, 'now');
    expect(await world.lastCommit()).toBe(newer);
  });

  test('is none of a plan that has committed nothing', async () => {
    const world = await make();
    await world.commit({ a: 'of another' }, 'a');
    expect(await world.lastCommit()).toBeUndefined();
  });
});

test('a project without a repository has no head', async () => {
  const world = await makePlanWorld();
  expect(await headOfProject(world.services, 'Demo')).toBeUndefined();
});
