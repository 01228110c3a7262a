import { expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { Phase } from '../../../src/model/phase.ts';
import { warnOfSharedTree } from '../../../src/plans/phases/preflight.ts';
import { PlanDirectory } from '../../../src/plans/planDirectory.ts';
import { makePlanWorld } from '../../support/planServices.ts';

const child = toQualifiedId('Demo/project-root/child');

/** The warnings for a phase of the root plan while the child plan's next phase is `other`. */
async function warningsFor(phase: Phase, other: string): Promise<unknown[]> {
  const world = await makePlanWorld({ projects: ['Other'], children: [child] });
  world.write('Demo/ravel/project-root/child/phase.md', `${other}\n`);
  world.write('Other/ravel/project-root/phase.md', 'analyse-work\n');
  const directory = new PlanDirectory(world.services.disk, world.layout);
  await warnOfSharedTree(world.services, directory, world.location, phase);
  return world.events;
}

test('a phase that reads the source warns of another plan’s uncommitted work in the tree', async () => {
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

test('a phase that reads no source, or a tree without another plan’s work, gets no warning', async () => {
  expect(await warningsFor('reflect', 'analyse-work')).toEqual([]);
  expect(await warningsFor('triage', 'git-commit-work')).toEqual([]);
  for (const other of ['work', 'reflect', 'triage', 'nonsense']) expect(await warningsFor('work', other)).toEqual([]);
});
