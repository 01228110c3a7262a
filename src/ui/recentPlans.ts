import type { QualifiedId } from '../model/id.ts';

/** How many plans are remembered; a person does not remember more either. */
const most = 20;

/** The plans that a person used in this window, the last one first: who picks one mostly means one of these. */
export class RecentPlans {
  readonly #plans: QualifiedId[] = [];

  record(plan: QualifiedId): void {
    const others = this.#plans.filter((one) => one !== plan);
    this.#plans.splice(0, this.#plans.length, plan, ...others.slice(0, most - 1));
  }

  /** Those that were used, the last one first, then the others in their order. */
  sort<T>(items: readonly T[], planOf: (item: T) => QualifiedId): T[] {
    const rank = (item: T) => {
      const at = this.#plans.indexOf(planOf(item));
      return at < 0 ? most : at;
    };
    return [...items].sort((a, b) => rank(a) - rank(b));
  }
}
