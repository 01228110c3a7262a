import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere, listIfThere } from '../base/diskErrors.ts';
import { ensureDirectory, readTextIfExists, removeTree, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import { isWithin } from '../base/paths.ts';
import type { Fingerprint } from '../git/fingerprint.ts';
import type { AcceptedIn, AcceptedPrograms } from '../git/hardening.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

const fingerprintSchema = z.object({
  root: z.string(),
  settings: z.array(z.string()),
  hooks: z.record(z.string(), z.string()),
  files: z.record(z.string(), z.object({ hash: z.string(), text: z.string().optional() })),
});

const baselineSchema = z.object({
  /** Plans whose sessions ran since, and whose commits are not made yet. */
  plans: z.array(z.string()),
  /** Of the project's repository and of the vault's. */
  repositories: z.array(fingerprintSchema),
});

/** What decided what runs before sessions were at a project, or was accepted since. */
export interface ProgramBaseline {
  readonly plans: readonly string[];
  readonly repositories: readonly Fingerprint[];
}

/** Undefined if no session has been at the project. One that cannot be read accepts nothing. */
export async function loadBaseline(
  { disk, layout }: VaultPorts,
  project: string,
): Promise<ProgramBaseline | undefined> {
  return readBaseline(disk, fileOf(layout, project));
}

/** Durable once it resolves. */
export async function saveBaseline(
  { disk, layout }: VaultPorts,
  project: string,
  baseline: ProgramBaseline,
): Promise<void> {
  await ensureDirectory(disk, layout.programs);
  await writeAtomic(disk, fileOf(layout, project), JSON.stringify(baseline));
}

export async function removeBaseline({ disk, layout }: VaultPorts, project: string): Promise<void> {
  await removeTree(disk, fileOf(layout, project));
}

/**
 * What git may start in a directory: if sessions have been at its repository, only what the baselines hold. They are
 * read again for each command, since a session that is just beginning must not find an older answer.
 */
export function acceptedBy({ disk, layout }: VaultPorts): AcceptedIn {
  return async (directory) => {
    const entries = await listIfThere(disk, layout.programs, leadsNowhere);
    const names = entries.map(({ name }) => name).filter((name) => name.endsWith('.json'));
    if (names.length === 0) return undefined;
    const place = (await ifThere(directory, () => disk.realPath(directory), leadsNowhere)) ?? directory;
    let accepted: AcceptedPrograms | undefined;
    for (const name of names) {
      const { repositories } = (await readBaseline(disk, join(layout.programs, name))) ?? nothing;
      for (const { settings, hooks } of repositories.filter((repository) => isWithin(repository.root, place))) {
        accepted = both(accepted, { settings: new Set(settings), hooks: new Map(Object.entries(hooks)) });
      }
    }
    return accepted;
  };
}

const nothing: ProgramBaseline = { plans: [], repositories: [] };

async function readBaseline(disk: Disk, file: string): Promise<ProgramBaseline | undefined> {
  const text = await readTextIfExists(disk, file);
  if (text === undefined) return undefined;
  return baselineSchema.safeParse(parseJson(text)).data ?? nothing;
}

/** The vault's repository is in the baseline of every project; what one of them lacks came since. */
function both(one: AcceptedPrograms | undefined, other: AcceptedPrograms): AcceptedPrograms {
  if (one === undefined) return other;
  return {
    settings: new Set([...one.settings].filter((setting) => other.settings.has(setting))),
    hooks: new Map([...one.hooks].filter(([name, hash]) => other.hooks.get(name) === hash)),
  };
}

/** A project's name is one segment of a path (`projectNameProblem`). */
function fileOf(layout: VaultLayout, project: string): string {
  return join(layout.programs, `${project}.json`);
}
