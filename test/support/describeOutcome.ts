import { readdir } from 'node:fs/promises';
import type { World } from './world.ts';

/** Files of the plan, history and status after a run, as one text. */
export async function describeOutcome(world: World): Promise<string> {
  const sections: string[] = [];
  for (const file of (await readdir(world.planDirectory)).sort()) {
    if (!file.endsWith('.md') || file === 'phase.md') {
      sections.push(`=== ${file}\n${await world.readPlan(file)}`);
    }
  }
  sections.push(`=== git log\n${await world.git('log', '--reverse', '--stat=100', '--format=commit %s%n%b')}`);
  sections.push(`=== git status\n${await world.git('status', '--porcelain')}`);
  return sections.join('\n');
}
