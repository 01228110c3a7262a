import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Relocations } from '../../src/housekeeping/relocations.ts';
import { listArchives } from '../../src/vault/archive.ts';
import { failureOf } from '../support/failureOf.ts';
import type { PlanWorld } from '../support/planServices.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { diskChanges, systemError, traceDisk } from '../support/tracingDisk.ts';
import { a, b, listWorld, makeFamily, relocationsOf } from './planFamily.ts';

describe('a relocation stopped before any change of the disk', () => {
  interface Work {
    readonly before?: (relocations: Relocations) => Promise<unknown>;
    readonly work: (relocations: Relocations, world: PlanWorld) => Promise<unknown>;
  }
  const removal = (relocations: Relocations) => relocations.remove(a, { withChildren: true });
  const works: Readonly<Record<string, Work>> = {
    'renaming a plan': { work: (relocations) => relocations.rename(a, b) },
    'removing a plan': { work: removal },
    'restoring a plan': {
      before: removal,
      async work(relocations, { layout }) {
        const { archives } = await listArchives(nodeDisk, layout);
        return relocations.restore(archives[0]?.name ?? '');
      },
    },
    'renaming the project': { work: (relocations) => relocations.renameProject('Demo', 'New') },
    'removing the project': { work: (relocations) => relocations.removeProject('Demo') },
  };

  test.each(Object.entries(works))(
    '%s is finished or undone by the next start',
    { timeout: 120_000 },
    async (_name, { work, before }) => {
      const world = await makeFamily();
      await before?.(relocationsOf(world));
      const saved = join(await makeTemporaryDirectory(), 'saved');
      cpSync(world.folder, saved, { recursive: true, verbatimSymlinks: true });
      const reset = () => {
        rmSync(world.folder, { recursive: true });
        cpSync(saved, world.folder, { recursive: true, verbatimSymlinks: true });
      };
      onTestFinished(() => rmSync(saved, { recursive: true }));
      const plain = (lines: string[]) =>
        lines
          .map((line) => line.replace(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, '<ulid>').replace(/at: \d.*Z/, 'at: <time>'))
          .filter((line) => !/\/far\/$|archive\/(plans|projects)\/$/.test(line));
      const stateBefore = plain(listWorld(world));
      await work(relocationsOf(world), world);
      const stateAfter = plain(listWorld(world));
      reset();

      const ends = new Set<string>();
      let stopped = 0;
      for (let at = 1; ; at++) {
        let changes = 0;
        const stopping = traceDisk(nodeDisk, (_n, operation) => {
          if (diskChanges.has(operation) && ++changes >= at) throw systemError('EIO');
        });
        const done = await work(relocationsOf(world, stopping), world).then(
          () => true,
          () => false,
        );
        if (done) break;
        stopped++;
        await relocationsOf(world).finish();
        const state = plain(listWorld(world)).join('\n');
        const end = state === stateAfter.join('\n') ? 'after' : 'before';
        if (end === 'before') expect(state).toBe(stateBefore.join('\n'));
        expect(existsSync(world.layout.moveIntent)).toBe(false);
        ends.add(end);
        reset();
      }
      expect(stopped).toBeGreaterThan(10);
      expect([...ends].sort()).toEqual(['after', 'before']);
    },
  );

  test('is reported until it can be finished, and then recorded in the ledger', async () => {
    const world = await makeFamily();
    const stopping = traceDisk(nodeDisk, (_n, operation, path) => {
      if (operation === 'rename' && path.startsWith(world.layout.interrupted)) throw systemError('EIO');
    });
    const problem = await failureOf(() => relocationsOf(world, stopping).rename(a, b));
    expect(problem).toMatchObject({ code: 'move/unfinished' });
    // Until it can be finished, it is reported and no other relocation begins.
    await relocationsOf(world, stopping).finish();
    expect(world.events.at(-1)).toMatchObject({ type: 'diagnostic', diagnostic: { code: 'move/unfinished' } });
    const other = failureOf(() => relocationsOf(world, stopping).removeProject('Demo'));
    expect(await other).toMatchObject({ code: 'move/unfinished' });
    await relocationsOf(world).finish();
    const lines = readFileSync(world.layout.ledger, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(world.read('Demo/ravel/project-root/far/b/backlog.md')).toContain(`plan: "${b}"`);
    expect(lines).toMatchObject([{ plan: a, what: `rename of ${a} to ${b}`, outcome: 'finished' }]);
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'recovered', outcome: 'finished' }));
  });
});
