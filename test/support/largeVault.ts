import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LargeVaultOptions {
  readonly plans: number;
  /** As many projects share the plans. */
  readonly projects?: number;
  /** Tasks in each backlog and entries in each memory. */
  readonly records?: number;
}

/** Writes a vault of many small plans, each with the four files that every plan has; nothing of it is synced. */
export function writeLargeVault(root: string, { plans, projects = 10, records = 6 }: LargeVaultOptions): string {
  const vault = join(root, 'vault');
  mkdirSync(join(vault, 'projects'), { recursive: true });
  writeFileSync(
    join(vault, 'ravel.toml'),
    '[vault]\nschema_version = 1\nname = "large"\ncreated = "2026-01-02T03:04:05Z"\ncreated_by_version = "0.0.0"\n',
  );
  for (let project = 0; project < projects; project++) {
    const ravel = join(root, `code-${project}`, 'ravel');
    const share = Math.floor(plans / projects) + Number(project < plans % projects);
    for (let n = 0; n < share; n++) writePlan(join(ravel, planPath(n)), { project, n, records });
    symlinkSync(ravel, join(vault, 'projects', `p${project}`));
  }
  return vault;
}

/** The root plan, groups of about thirty below it, and the rest in those. */
function planPath(n: number): string {
  if (n === 0) return 'project-root';
  const group = Math.floor((n - 1) / 30);
  return (n - 1) % 30 === 0 ? `project-root/group-${group}` : `project-root/group-${group}/plan-${n}`;
}

function writePlan(directory: string, { project, n, records }: { project: number; n: number; records: number }): void {
  mkdirSync(directory, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  const description = `What plan ${n} of project ${project} is for, told in a sentence of its own`;
  write('plan-state.md', `---\nschema-version: 1\ndescription: ${description}\ntags: []\n---\n\nNotes of a person.\n`);
  write('phase.md', n % 3 === 0 ? 'work\n' : 'triage\n');
  const numbers = Array.from({ length: records }, (_, record) => record);
  const sentence = 'What one session learned is here for the next: a sentence, of about the usual length.';
  const tasks = numbers.map(
    (id) =>
      `- id: task-${id}\n  title: Task ${id} of plan ${n}\n  category: core\n  status: ${statuses[(id + n) % 3]}\n` +
      `  dependencies:${id === 0 ? ' []' : `\n  - task-${id - 1}`}\n  description: |\n    ${sentence}\n    ${sentence}\n`,
  );
  write('backlog.yaml', `tasks:\n${tasks.join('')}`);
  const entries = numbers.map(
    (id) => `- id: entry-${id}\n  title: Entry ${id}\n  body: |\n    ${sentence}\n    ${sentence}\n`,
  );
  write('memory.yaml', `entries:\n${entries.join('')}`);
}

const statuses = ['done', 'not_started', 'in_progress'];
