import type { ReadingDisk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import { projectOf, type QualifiedId } from '../model/id.ts';
import { checkScopes, loadExperts } from './expertStore.ts';
import type { VaultLayout } from './layout.ts';
import { checkTargets, loadRules } from './loadRules.ts';

/** Checks the declarations of experts and the routing rules, and that what they name exists. */
export async function verifyNames(
  disk: ReadingDisk,
  layout: VaultLayout,
  plans: readonly QualifiedId[],
): Promise<Diagnostic[]> {
  const { experts, diagnostics } = await loadExperts(disk, layout);
  const scopes = await Promise.all(experts.map((expert) => checkScopes(disk, layout, expert)));
  const { rules, diagnostics: faults } = await loadRules(disk, layout);
  const names = new Set([...plans, ...plans.map(projectOf), ...experts.map(({ actor }) => actor)]);
  return [...diagnostics, ...scopes.flat(), ...faults, ...checkTargets(layout, rules, names)];
}
