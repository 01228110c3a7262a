import { expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { Phase } from '../../../src/model/phase.ts';
import { warnOfSharedTree } from '../../../src/plans/phases/sharedTree.ts';
import { PlanDirectory } from '../../../src/plans/planDirectory.ts';
import { makePlanWorld } from '../../support/planServices.ts';

const child = toQualifiedId('Demo/project-root/child');

/** Warnings for a phase of the root plan, while the child plan and one of another project stand before `other`. */
async function warningsFor(phase: Phase, other: string): Promise<unknown[]> {
  const world = await makePlanWorld({ projects: ['Other'], children: [child] });
  world.write('Demo/ravel/project-root/child/phase.md', `${other}\n`);
  world.write('Other/ravel/project-root/phase.md', 'analyse-work\n');
  const directory = new PlanDirectory(world.services.disk, world.layout);
  await warnOfSharedTree(world.services, directory, world.location, phase);
  return world.events;
}

test('work of another plan that lies uncommitted in the tree is named', async () => {
  for (const phase of ['work', 'analyse-work'] as const) {
    for (const other of ['analyse-work', 'git-commit-work']) {
      expect(await warningsFor(phase, other)).toMatchObject([
        {
          type: 'diagnostic',
          diagnostic: {
            code: 'run/treeShared',
            severity: 'warning',
            message: expect.stringContaining(child),
            help: expect.stringContaining(`ravel run ${child}`),
          },
        },
      ]);
    }
  }
});

test('nothing is said where the phase looks at no source, or the other plan has none there', async () => {
  expect(await warningsFor('reflect', 'analyse-work')).toEqual([]);
  expect(await warningsFor('triage', 'git-commit-work')).toEqual([]);
  for (const other of ['work', 'reflect', 'triage', 'nonsense']) expect(await warningsFor('work', other)).toEqual([]);
});
