import type { Ulid } from './id.ts';

/** Who adds records to a plan: a session, a person with a state verb, or the import that made the plan. */
export type Author = { readonly by: 'session'; readonly session: Ulid } | { readonly by: 'person' | 'import' };

/** Who added a record, and when: ISO 8601 in UTC. */
export type Origin = Author & { readonly at: string };
