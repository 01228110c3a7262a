import { RavelError } from '../base/errors.ts';
import { scopesOf } from '../experts/expertScope.ts';
import { maskSecrets } from '../gates/secrets/maskSecrets.ts';
import { classify } from '../knowledge/likeness/classify.ts';
import { takeFitting } from '../knowledge/retrieval/budget.ts';
import { searchEntries } from '../knowledge/search/searchEntries.ts';
import { failure } from '../model/codes.ts';
import { nearestNames } from '../model/nearest.ts';
import type { KnowledgeHit, KnowledgeResults } from '../model/requests/knowledge.ts';
import type { DeclaredExpert } from '../vault/expertStore.ts';
import { entryRowOf } from './entryRows.ts';
import { assertOwner, type ParsedParams, type RequestContext } from './handlers.ts';

/** Characters of a body in one answer. */
const bodyLengthMax = 100_000;

/** The entries that fit a query best, in the places and with the tags that are asked for. */
export async function findForAgent(
  { knowledge, vaultSearch: search, registry }: RequestContext,
  { query, expert, axis, tags, limit, bytes, bodies }: ParsedParams<'search_knowledge'>,
  signal: AbortSignal,
): Promise<KnowledgeResults['search_knowledge']> {
  const within = expert === undefined ? undefined : scopesOf((await expertNamed(registry, expert)).expert);
  const also = axis === undefined ? undefined : [{ project: '', glob: axis }];
  const order = { query, within, also, tags, limit };
  const { found, known, diagnostics } = await searchEntries({ base: knowledge.base, search }, order, signal);
  const fitting = found.map(({ head, line, score }) => ({ ...entryRowOf(head), line, score }));
  const { taken, skipped } = takeFitting(fitting, limit, { bytesMax: bytes });
  if (bodies !== true) return { hits: taken, skipped, diagnostics };
  const base = await knowledge.base();
  const whole: KnowledgeHit[] = [];
  for (const hit of taken) {
    signal.throwIfAborted();
    const { body } = await base.load(hit.entry, known);
    whole.push({ ...hit, body: maskSecrets(body.slice(0, bodyLengthMax)) });
  }
  return { hits: whole, skipped, diagnostics };
}

/** With or without `expert:` before its id. */
async function expertNamed(registry: RequestContext['registry'], named: string): Promise<DeclaredExpert> {
  const { experts, diagnostics } = await registry.current();
  const id = named.replace(/^expert:/, '');
  const found = experts.find(({ expert }) => expert['expert-id'] === id);
  if (found !== undefined) return found;
  const fault = diagnostics.find(({ severity, subject }) => severity === 'error' && subject === `expert:${id}`);
  if (fault !== undefined) throw new RavelError(fault);
  const near = nearestNames(
    id,
    experts.map(({ expert }) => expert['expert-id']),
    2,
  );
  const help = near.length === 0 ? {} : { help: `Did you mean ${near.map((one) => `"${one}"`).join(' or ')}?` };
  throw failure('expert/unknown', named, `The vault declares no expert "${named}".`, help);
}

/** What a text that a person hands in is worth trying for. */
export async function readHorizonOf(
  context: RequestContext,
  { text, source, expert }: ParsedParams<'read_horizon'>,
  signal: AbortSignal,
): Promise<KnowledgeResults['read_horizon']> {
  assertOwner(context);
  const { services: ports, knowledge, vaultSearch: search, registry } = context;
  const reader = expert === undefined ? undefined : await expertNamed(registry, expert);
  const { readHorizon } = await import('../experts/horizon.ts');
  const parts = { ports, search, knowledge: await knowledge.base(), ...(reader !== undefined && { expert: reader }) };
  return readHorizon(parts, { text, source }, signal);
}

/** Stages what an agent says, unless an entry says it already. */
export async function remember(
  context: RequestContext,
  { title, statement, tags, axis, project = '', by, session, given }: ParsedParams<'remember'>,
  signal: AbortSignal,
): Promise<KnowledgeResults['remember']> {
  assertOwner(context);
  const { folder, kind } = classify({ title, body: statement }, []);
  const where = project === '' ? { folder: axis ?? folder } : { project };
  const proposed = { title, body: statement, tags, kind, given, source: by, sourceSession: session, ...where };
  return (await context.knowledge.remembering()).remember(proposed, signal);
}
