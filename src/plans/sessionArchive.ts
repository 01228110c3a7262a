import { join } from 'node:path';
import { ifThere, listIfThere } from '../base/diskErrors.ts';
import { readText } from '../base/files.ts';
import type { QualifiedId } from '../model/id.ts';
import { logPartName, planFiles } from '../model/plan.ts';
import { type SessionRecord, sessionLogSchema } from '../model/session.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import { readYaml } from '../yaml/yaml.ts';

export function partOf(day: string, number: number): string {
  return `session-log.${day}${number === 1 ? '' : `.${number}`}.yaml`;
}

/** Names of the parts that stand beside a plan's session log, the oldest first. */
export async function listLogParts({ disk, layout }: VaultPorts, plan: QualifiedId): Promise<string[]> {
  const folder = layout.plan(plan);
  const entries = await listIfThere(disk, folder);
  const parts = entries.flatMap(({ name }) => {
    const [, day, number = '1'] = logPartName.exec(name) ?? [];
    return day === undefined ? [] : [{ name, day, number: Number(number) }];
  });
  parts.sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1));
  return parts.map(({ name }) => name);
}

/**
 * Archived records, oldest first: all of them, or the one with an id, which parses only the part that holds it. A part
 * that cannot be read as a log counts as empty.
 */
export async function loadOlderSessions(
  ports: VaultPorts,
  plan: QualifiedId,
  id?: string,
): Promise<readonly SessionRecord[]> {
  const found: SessionRecord[] = [];
  const parts = await listLogParts(ports, plan);
  for (const name of id === undefined ? parts : parts.toReversed()) {
    const file = join(ports.layout.plan(plan), name);
    const text = await ifThere(file, () => readText(ports.disk, file));
    if (text === undefined || (id !== undefined && !text.includes(id))) continue;
    const records =
      readYaml(sessionLogSchema, text, { file: planFiles.sessionLog, subject: plan }).value?.sessions ?? [];
    if (id === undefined) found.push(...records);
    const wanted = records.filter((record) => record.id === id);
    if (wanted.length > 0) return wanted;
  }
  return found;
}
