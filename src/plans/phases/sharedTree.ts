import { shellWord } from '../../base/text.ts';
import { diagnostic } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Phase } from '../../model/phase.ts';
import { planFiles } from '../../model/plan.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { emitFor, type PlanServices } from '../services.ts';

/** Words of a plan whose work is in the tree and not yet in a commit. */
const uncommitted: ReadonlySet<string> = new Set<Phase>(['analyse-work', 'git-commit-work']);

/**
 * Warns that the same tree has work of another plan that is not analysed or committed yet. This does not refuse the
 * phase: the other plan can be left alone for days, and this plan's commits leave out its paths, which were dirty
 * before.
 */
export async function warnOfSharedTree(
  services: Pick<PlanServices, 'disk' | 'clock' | 'emit'>,
  directory: PlanDirectory,
  location: PlanLocation,
  phase: Phase,
): Promise<void> {
  if (phase !== 'work' && phase !== 'analyse-work') return;
  const others = await plansWithWork(services, directory, location);
  if (others.length === 0) return;
  const names = others.join(', ');
  const message = `Work of ${names} is in the same tree and is not committed yet; an analysis can mistake one for the other.`;
  const help = `To keep them apart, finish that first: ${others.map((plan) => `\`ravel run ${shellWord(plan)}\``).join(', ')}.`;
  const warning = diagnostic('run/treeShared', location.id, message, { severity: 'warning', help });
  emitFor(services, location.id, { type: 'diagnostic', diagnostic: warning });
}

async function plansWithWork(
  services: Pick<PlanServices, 'disk'>,
  directory: PlanDirectory,
  { id, projectDirectory }: PlanLocation,
): Promise<QualifiedId[]> {
  const found: QualifiedId[] = [];
  for (const other of (await directory.all()).plans) {
    if (other.id === id || other.projectDirectory !== projectDirectory) continue;
    const texts = await loadPlanTexts(services.disk, other.directory, [planFiles.phase]);
    if (uncommitted.has(texts.get(planFiles.phase)?.trim() ?? '')) found.push(other.id);
  }
  return found;
}
