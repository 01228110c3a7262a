import { isRavelError } from '../base/errors.ts';
import { scopesOf } from '../experts/expertScope.ts';
import { maskSecrets } from '../gates/secrets/maskSecrets.ts';
import { classify } from '../knowledge/likeness/classify.ts';
import { takeFitting } from '../knowledge/retrieval/budget.ts';
import { failure } from '../model/codes.ts';
import { memoryFingerprint } from '../model/memory.ts';
import { nearestNames } from '../model/nearest.ts';
import type { KnowledgeHit, KnowledgeResults } from '../model/requests/knowledge.ts';
import { entrySubject } from '../vault/entryFile.ts';
import { statusOf } from '../vault/entryFilter.ts';
import { foldName } from '../vault/entryIndex.ts';
import type { DeclaredExpert } from '../vault/expertStore.ts';
import { entryRowOf } from './entryRows.ts';
import { assertOwner, type ParsedParams, type RequestContext } from './handlers.ts';

/** Characters of a body in one answer. */
const bodyLengthMax = 100_000;

/** What is looked for is ranked before it is known which of it are entries. */
const foundPerEntry = 3;

/** The entries that fit a query best, in the places and with the tags that are asked for. */
export async function findForAgent(
  { knowledge, vaultSearch, registry }: RequestContext,
  { query, expert, axis, tags, limit, bytes, bodies }: ParsedParams<'search_knowledge'>,
  signal: AbortSignal,
): Promise<KnowledgeResults['search_knowledge']> {
  const within = expert === undefined ? undefined : scopesOf((await expertNamed(registry, expert)).expert);
  const also = axis === undefined ? undefined : [{ project: '', glob: axis }];
  const order = { query, in: ['knowledge' as const], within, also, tags, limit: limit * foundPerEntry, fresh: true };
  const { hits, diagnostics } = await vaultSearch.search(order, signal);
  const base = await knowledge.base();
  const known = await base.survey(signal);
  const heads = new Map(known.heads.map((head) => [head.file, head]));
  const fitting = hits.flatMap(({ file, line, score }) => {
    const head = heads.get(file);
    return head === undefined || statusOf(head) === 'archived' ? [] : [{ ...entryRowOf(head), line, score }];
  });
  const { taken, skipped } = takeFitting(fitting, limit, { bytesMax: bytes });
  if (bodies !== true) return { hits: taken, skipped, diagnostics };
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
  const { experts } = await registry.current();
  const id = named.replace(/^expert:/, '');
  const found = experts.find(({ expert }) => expert['expert-id'] === id);
  if (found !== undefined) return found;
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
  const base = await context.knowledge.base();
  const same = () => entryThatSays(context, { title, statement, project }, signal);
  const before = await same();
  if (before !== undefined) return { entry: before, isNew: false, diagnostics: [] };
  const { folder, kind } = classify({ title, body: statement }, []);
  try {
    // No origin: what nothing has proven yet must not count as held in a project.
    const { places, diagnostics } = await base.add({
      ...{ title, body: statement, tags, kind, project, confidence: 'low', given, source: by, sourceSession: session },
      ...(project === '' && { folder: axis ?? folder }),
    });
    return { entry: places.map(entrySubject)[0] ?? title, isNew: true, diagnostics };
  } catch (error) {
    // Said twice at once: the other call has added it.
    const other = isRavelError(error, 'entry/exists') ? await same() : undefined;
    if (other === undefined) throw error;
    return { entry: other, isNew: false, diagnostics: [] };
  }
}

/** Entries whose words are compared with a statement. */
const comparedMax = 10;

/** The entry of a vault or project that says a statement word for word, under whatever title. */
async function entryThatSays(
  { knowledge, vaultSearch }: RequestContext,
  { title, statement, project }: { readonly title: string; readonly statement: string; readonly project: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = `${title}\n${statement}`.slice(0, 20_000);
  const { hits } = await vaultSearch.search({ query, in: ['knowledge'], limit: comparedMax, fresh: true }, signal);
  const base = await knowledge.base();
  const known = await base.survey(signal);
  const files = new Set(hits.map(({ file }) => file));
  const folded = foldName(title);
  const wanted = memoryFingerprint({ title: '', body: statement });
  const near = known.heads.filter(
    (head) =>
      !head.isArchived && head.project === project && (files.has(head.file) || foldName(head.fields.title) === folded),
  );
  for (const head of near) {
    const { body } = await base.load(entrySubject(head), known);
    if (memoryFingerprint({ title: '', body }) === wanted) return entrySubject(head);
  }
  return undefined;
}
