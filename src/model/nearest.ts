import { rootPlanName } from './id.ts';

/**
 * The plans that were most likely meant by `text`, the best first: those of that last name, else those with a similar
 * one. That root plans are all named alike makes none similar to another.
 */
export function nearestPlans<Id extends string>(text: string, plans: readonly Id[], countMax = 3): Id[] {
  const wanted = withoutRoot(text);
  const sameEnd = plans.filter((plan) => withoutRoot(plan).toLowerCase().endsWith(`/${wanted.toLowerCase()}`));
  if (sameEnd.length > 0) return sameEnd.slice(0, countMax);
  const byName = new Map(plans.map((plan) => [withoutRoot(plan), plan]));
  return nearestNames(wanted, [...byName.keys()], countMax).flatMap((name) => byName.get(name) ?? []);
}

function withoutRoot(plan: string): string {
  return plan.replace(`/${rootPlanName}`, '');
}

/** The names that were most likely meant by `text`, the best first; none if nothing comes near. */
export function nearestNames(text: string, names: readonly string[], countMax = 3): string[] {
  const wanted = text.toLowerCase();
  const most = (name: string) => Math.max(2, Math.floor(Math.min(wanted.length, name.length) / 3));
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= most(name))
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= most(name))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, countMax)
    .map(({ name }) => name);
}

/** How many characters must be put in, taken out or replaced to make one text of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (b[j - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
