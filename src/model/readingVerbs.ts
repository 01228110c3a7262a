/**
 * The state verbs that change nothing: the rows of `verbs.ts` that read. Their names are written from those rows, for the
 * faces that have to start without the schemas of that table.
 */
export const readingVerbs: readonly string[] = [
  // table: reading verbs, written by `npm run tables`
  'backlog/list',
  'backlog/show',
  'backlog/lint-dependencies',
  'received/list',
  'received/show',
  'memory/list',
  'memory/search',
  'memory/show',
  'session/list',
  'session/show',
  'session/show-latest',
  'phase/show',
  'phase-summary/render',
  'message/list',
  'knowledge/search',
  'knowledge/show',
  // end of table
];

/** Whether a request, with what came as its parameters, is a state verb that changes nothing. */
export function isReadingVerb(request: string, params: unknown): boolean {
  if (request !== 'state' || typeof params !== 'object' || params === null || !('verb' in params)) return false;
  return readingVerbs.some((verb) => verb === params.verb);
}
