import { nextTurn } from '../../base/async.ts';
import type { KnowledgeBase, Known } from '../../knowledge/entries/knowledgeBase.ts';
import { Likeness, likenessLeast, type Statement } from '../../knowledge/likeness/likeness.ts';
import type { VaultSearch } from '../../knowledge/search/vaultSearch.ts';
import type { NearEntry } from '../../model/ingestion.ts';
import { entryPathInVault, type KnowledgeEntry } from '../../vault/entryFile.ts';

export interface NearParts {
  readonly knowledge: Pick<KnowledgeBase, 'load'>;
  readonly search: Pick<VaultSearch, 'search'>;
}

/** Entries that a search offers, of which each is compared, and those that a session sees. */
const comparedMax = 30;
const nearMax = 5;
/** Entries whose words say how rare a word is; of more, every n-th is taken. */
const sampleMax = 400;
/** Characters of a statement that are looked for and compared. */
const textLengthMax = 20_000;

/** The entries that may say the same as a statement, or the opposite, the most alike first. Code proposes; a session judges. */
export async function nearEntries(
  { knowledge, search }: NearParts,
  known: Known,
  statement: Statement,
  signal: AbortSignal,
): Promise<readonly NearEntry[]> {
  const query = `${statement.title}\n${statement.text}`.slice(0, textLengthMax);
  const { hits } = await search.search({ query, in: ['knowledge'], limit: comparedMax, fresh: true }, signal);
  const files = new Set(hits.map(({ file }) => file));
  const heads = known.heads.filter(({ isArchived }) => !isArchived);
  const step = Math.max(1, Math.ceil(heads.length / sampleMax));
  const compared = heads.filter(({ file }, at) => files.has(file) || at % step === 0);
  const entries = await loadEach(knowledge, known, compared, signal);
  const likeness = new Likeness();
  for (const one of entries) {
    likeness.add(statementOf(one));
    await nextTurn();
  }
  likeness.add(statement);
  return entries
    .filter(({ file }) => files.has(file))
    .map((entry) => ({
      path: entryPathInVault(entry),
      title: entry.fields.title,
      score: Math.round(1000 * likeness.between(statement, statementOf(entry))) / 1000,
    }))
    .filter(({ score }) => score >= likenessLeast)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, nearMax);
}

function statementOf({ fields: { title, tags }, body }: KnowledgeEntry): Statement {
  return { title, tags, text: body.slice(0, textLengthMax) };
}

async function loadEach(
  knowledge: Pick<KnowledgeBase, 'load'>,
  known: Known,
  heads: Known['heads'],
  signal: AbortSignal,
): Promise<KnowledgeEntry[]> {
  const loaded: KnowledgeEntry[] = [];
  for (const head of heads) {
    signal.throwIfAborted();
    // One that went away meanwhile is not near.
    const entry = await knowledge.load(entryPathInVault(head), known).catch(() => undefined);
    if (entry !== undefined) loaded.push(entry);
  }
  return loaded;
}
