import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type QualifiedId, toQualifiedId } from '../../src/model/id.ts';
import { committedText, headOfProject, lastCommitOf } from '../../src/plans/planHistory.ts';
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

  /** Commits plan folders under the given names, each with this text as its backlog; undefined removes the folder. */
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

  /** Records that the plan was called `from` until now. */
  async rename(from: string, head?: string): Promise<void> {
    const { services, layout } = this.#world;
    this.#names.push({ plan: idOf(from), head: head ?? (await headOfProject(services, 'Demo')) });
    mkdirSync(layout.plans, { recursive: true });
    await saveRunState({ disk: nodeDisk, layout }, idOf('now'), runStateSchema.parse({ earlierNames: this.#names }));
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

describe('the text of a plan file at a commit', () => {
  test('is read under the current name when the plan was never renamed', async () => {
    const world = await make();
    const without = await world.commit({});
    const first = await world.commit({ now: 'one' });
    await world.commit({ now: 'two' });
    expect(await world.textAt(first)).toBe('one');
    expect(await world.textAt(without)).toBeUndefined();
  });

  test('is read under the name the plan had at that commit, over several renames', async () => {
    const world = await make();
    const first = await world.commit({ a: 'one' });
    await world.rename('a');
    const second = await world.commit({ a: undefined, b: 'two' });
    await world.rename('b');
    const third = await world.commit({ b: undefined, now: 'three' });
    const texts = await Promise.all([first, second, third].map((commit) => world.textAt(commit)));
    expect(texts).toEqual(['one', 'two', 'three']);
  });

  test('is the last text under the earlier name until the new name is committed', async () => {
    const world = await make();
    await world.commit({ a: 'one' });
    await world.rename('a');
    await world.rename('b');
    expect(await world.textAt(await world.commit({}))).toBe('one');
  });

  test('is not the text of another plan that took the earlier name later', async () => {
    const world = await make();
    await world.commit({ a: 'mine' });
    await world.rename('a');
    expect(await world.textAt(await world.commit({ a: 'of another' }))).toBe('mine');
  });

  test('is not the text of another plan that had the current name earlier', async () => {
    const world = await make();
    const before = await world.commit({ a: 'mine', now: 'of another' });
    await world.rename('a');
    expect(await world.textAt(before)).toBe('mine');
  });

  test('follows each of two plans that swapped names', async () => {
    const world = await make();
    const before = await world.commit({ a: 'mine', now: 'of another' });
    await world.rename('a');
    await world.rename('between');
    const after = await world.commit({ a: 'of another', now: 'mine too' });
    expect([await world.textAt(before), await world.textAt(after)]).toEqual(['mine', 'mine too']);
  });

  test('follows a plan that went back to its first name', async () => {
    const world = await make();
    const first = await world.commit({ now: 'one' });
    await world.rename('now');
    const second = await world.commit({ now: undefined, b: 'two' });
    await world.rename('b');
    expect([await world.textAt(first), await world.textAt(second)]).toEqual(['one', 'two']);
  });

  test('is undefined when the plan existed at that commit without the file', async () => {
    const world = await make();
    await world.commit({ a: 'one' });
    await world.rename('a');
    await world.commit({ a: undefined, now: 'two' });
    const without = await world.commit({ 'now/backlog.yaml': undefined });
    expect(await world.textAt(without)).toBeUndefined();
  });

  test('is found by names alone when the commit of a rename is missing from the history', async () => {
    const world = await make();
    const first = await world.commit({ a: 'one' });
    await world.rename('a', '0123456789012345678901234567890123456789');
    expect(await world.textAt(first)).toBe('one');
  });
});

describe('the last commit of a plan', () => {
  test('is found under an earlier name, up to the rename that ended it', async () => {
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

  test('is undefined for a plan without commits of its own', async () => {
    const world = await make();
    await world.commit({ a: 'of another' }, 'a');
    expect(await world.lastCommit()).toBeUndefined();
  });
});

test('a project without a repository has no head commit', async () => {
  const world = await makePlanWorld();
  expect(await headOfProject(world.services, 'Demo')).toBeUndefined();
});
