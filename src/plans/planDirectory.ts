import type { Disk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import { isQualifiedId, type QualifiedId, qualifiedIdProblem, wholePlanName } from '../model/id.ts';
import { nearestPlans } from '../model/nearest.ts';
import type { VaultLayout } from '../vault/layout.ts';
import { type PlanLocation, type VaultWalk, walkVault } from '../vault/walk.ts';

/** Where the plans of the vault are, as of the last walk; a rebuildable cache. */
export class PlanDirectory {
  readonly #disk: Disk;
  readonly #layout: VaultLayout;
  #known: { readonly plans: readonly PlanLocation[]; readonly diagnostics: readonly Diagnostic[] } | undefined;

  constructor(disk: Disk, layout: VaultLayout) {
    this.#disk = disk;
    this.#layout = layout;
  }

  async all(): Promise<{ readonly plans: readonly PlanLocation[]; readonly diagnostics: readonly Diagnostic[] }> {
    this.#known ??= await walkVault(this.#disk, this.#layout);
    return this.#known;
  }

  /** Takes the plans that a scan of the whole vault found, which saves a walk. */
  keep(walk: VaultWalk): void {
    this.#known = walk;
  }

  rescan(): Promise<{ readonly plans: readonly PlanLocation[]; readonly diagnostics: readonly Diagnostic[] }> {
    this.#known = undefined;
    return this.all();
  }

  /** The plan that `name` means: a qualified id, or a project for its root plan. A new one is found by walking again. */
  async find(name: string): Promise<PlanLocation> {
    const id = toPlanId(name);
    return (await this.#lookUp(id)) ?? (await this.#lookUpAfresh(id));
  }

  async childrenOf(id: QualifiedId): Promise<QualifiedId[]> {
    const { plans } = await this.all();
    return plans.map((plan) => plan.id).filter((other) => other.startsWith(`${id}/`));
  }

  async #lookUp(id: QualifiedId): Promise<PlanLocation | undefined> {
    return (await this.all()).plans.find((plan) => plan.id === id);
  }

  async #lookUpAfresh(id: QualifiedId): Promise<PlanLocation> {
    await this.rescan();
    const found = await this.#lookUp(id);
    if (found !== undefined) return found;
    const { plans } = await this.all();
    const names = plans.map((plan) => plan.id);
    const near = nearestPlans(id, names);
    const known = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `The plans are: ${names.join(', ')}.`;
    const help = names.length === 0 ? 'Adopt a project first: `ravel adopt DIR`.' : known;
    throw failure('plan/unknown', id, `There is no plan ${id} in this vault.`, { help });
  }
}

function toPlanId(name: string): QualifiedId {
  const id = wholePlanName(name);
  if (id.startsWith('expert:')) {
    const help = `See \`ravel experts ${id.slice('expert:'.length)}\` for the expert.`;
    throw failure('plan/badId', name, `"${name}" is an expert and no plan.`, { help });
  }
  if (isQualifiedId(id)) return id;
  throw failure('plan/badId', name, `"${name}" names no plan: ${qualifiedIdProblem(id) ?? ''}`);
}
