import { allocateSlug } from '../model/id.ts';

/**
 * Gives each title an id of its own and none that is taken, as `allocateSlug` does, in linear time however many titles are
 * the same.
 */
export function createSlugs(fallback: string, others: Iterable<string> = []): (title: string) => string {
  const none: ReadonlySet<string> = new Set();
  const taken = new Set(others);
  const nextNumbers = new Map<string, number>();
  return (title) => {
    const slug = allocateSlug(title, none, fallback);
    let id = slug;
    let number = nextNumbers.get(slug) ?? 2;
    while (taken.has(id)) {
      id = `${slug}-${number}`;
      number++;
    }
    nextNumbers.set(slug, number);
    taken.add(id);
    return id;
  };
}
