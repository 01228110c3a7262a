import type { Disk } from '../../base/disk.ts';
import { harmless, shortened } from '../../base/text.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { loadPlan } from '../../vault/planStore.ts';

/** Characters of a plan's memory that a session is shown, and tasks of its backlog. */
const memoryCharactersMax = 12_000;
const tasksMax = 80;

/** A plan's purpose, memory and open tasks, for a session that must decide whether a message is for it. */
export async function planView(disk: Disk, layout: VaultLayout, plan: QualifiedId): Promise<string> {
  const { state, memory, backlog } = await loadPlan(disk, { id: plan, directory: layout.plan(plan) });
  const entries = (memory?.entries ?? []).map(({ title, body }) => `- ${title}: ${body}`.trimEnd());
  const open = (backlog?.tasks ?? []).filter(({ status }) => status !== 'done');
  const tasks = open.slice(0, tasksMax).map(({ id, title, status }) => `- ${id} (${status}): ${title}`);
  const left = open.length - tasks.length;
  return harmless(
    [
      `${plan}: ${state?.description ?? '(its description cannot be read)'}`,
      '',
      'What it remembers:',
      shortened(entries.join('\n'), memoryCharactersMax) || '(nothing)',
      '',
      'Open tasks:',
      tasks.join('\n') || '(none)',
      ...(left > 0 ? [`- and ${left} more`] : []),
    ].join('\n'),
  );
}
