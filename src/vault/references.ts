import type { Disk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import { backlogSchema } from '../model/backlog.ts';
import { diagnostic } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { parseTarget } from '../model/namedTarget.ts';
import { planFiles } from '../model/plan.ts';
import { type DispatchEntry, dispatchFileSchema, queryFileSchema } from '../model/session.ts';
import { readYaml } from '../yaml/yaml.ts';
import { type PlanPlace, readPlanFiles } from './planStore.ts';

const files = [planFiles.backlog, planFiles.dispatches, planFiles.queries] as const;

/** Plans read at the same time. */
const readersMax = 16;

/**
 * Finds where other plans name a plan that no longer exists under this id: a warning for each file. The records of past
 * messages are never rewritten.
 */
export async function findReferences(
  disk: Disk,
  plans: readonly PlanPlace[],
  gone: ReadonlySet<QualifiedId>,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (let n = 0; n < plans.length; n += readersMax) {
    const batch = plans.slice(n, n + readersMax);
    found.push(...(await Promise.all(batch.map((plan) => referencesOf(disk, plan, gone)))).flat());
  }
  return found;
}

async function referencesOf(disk: Disk, plan: PlanPlace, gone: ReadonlySet<QualifiedId>): Promise<Diagnostic[]> {
  const { texts } = await readPlanFiles(disk, plan, files);
  return files.flatMap((file) => {
    const text = texts.get(file) ?? '';
    // Nearly every file names none of them, and a look at its text is much cheaper than to parse it.
    if (![...gone].some((id) => text.includes(id))) return [];
    const named = namedIn[file](text).filter((id) => gone.has(id as QualifiedId));
    if (named.length === 0) return [];
    const ids = [...new Set(named)].map((id) => `"${id}"`).join(', ');
    const message = `${file} of ${plan.id} names ${ids}, which no longer has that id.`;
    return [diagnostic('plan/dangling', plan.id, message, { severity: 'warning', file: `${plan.directory}/${file}` })];
  });
}

/** Ids of plans that a file names; none if it cannot be read, which `verify` reports. */
const namedIn: Readonly<Record<(typeof files)[number], (text: string) => readonly string[]>> = {
  [planFiles.backlog](text) {
    const { value } = readYaml(backlogSchema, text, { file: planFiles.backlog, subject: '' });
    const received = (value?.received ?? []).map(({ from }) => from);
    const dispatched = (value?.dispatched ?? []).map(({ to }) => to);
    return [...received, ...dispatched].filter((id) => id !== undefined);
  },
  [planFiles.dispatches](text) {
    const { value } = readYaml(dispatchFileSchema, text, { file: planFiles.dispatches, subject: '' });
    return (value?.dispatches ?? []).flatMap(planNamed);
  },
  [planFiles.queries](text) {
    const { value } = readYaml(queryFileSchema, text, { file: planFiles.queries, subject: '' });
    return (value?.queries ?? []).flatMap(planNamed);
  },
};

function planNamed(entry: DispatchEntry): readonly string[] {
  const target = parseTarget(entry);
  return target.kind === 'plan' ? [target.name] : [];
}
