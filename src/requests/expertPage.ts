import { isRavelError } from '../base/errors.ts';
import { compareSituations } from '../experts/compareReceipts.ts';
import { checkExpertScopes, scopesOf } from '../experts/expertScope.ts';
import { gapFolder } from '../experts/gaps.ts';
import { liesInScopes } from '../knowledge/search/knowledgeScope.ts';
import { failure } from '../model/codes.ts';
import type { Expert } from '../model/expert.ts';
import { expertId } from '../model/namedTarget.ts';
import type { AnswerReceipt } from '../model/receipt.ts';
import type { CoveredEntry, ExpertAnswerRow, ExpertPage } from '../model/requests/experts.ts';
import { entryPathInVault } from '../vault/entryFile.ts';
import type { EntrySurvey } from '../vault/entrySurvey.ts';
import type { RequestContext } from './handlers.ts';
import { openQuestionRow } from './messages.ts';
import { receiptRow } from './receipts.ts';

/** Answers and gaps of one page, the newest; each answer costs a search to compare it. */
const answersMax = 10;
const gapsMax = 20;
/** Entries of one page; the counts are of all. */
const entriesMax = 500;

/** An expert with what it knows, what it is asked, what it answered, and what it could not. Throws `expert/unknown`. */
export async function expertPage(context: RequestContext, named: string, signal: AbortSignal): Promise<ExpertPage> {
  const { services, registry, knowledge, answers, receipts } = context;
  const wanted: string = expertId(named);
  const declared = await registry.current();
  const expert = declared.experts.find((one) => one.actor === wanted);
  if (expert === undefined) throw failure('expert/unknown', wanted, `There is no expert "${wanted}" in this vault.`);
  const { actor, file, expert: declaration } = expert;
  const covered = coveredBy(declaration, await (await knowledge.base()).survey(signal));
  const open = await answers.open(actor);
  const own = (await receipts.all()).records.filter((receipt) => receipt.expert === actor).reverse();
  const gaps = (await gapFolder(services).loadAll()).records.filter(({ expert }) => expert === actor).reverse();
  const latest: ExpertAnswerRow[] = [];
  for (const receipt of own.slice(0, answersMax)) latest.push(await answerRow(context, receipt, signal));
  const doubts = [...declared.diagnostics, ...(await checkExpertScopes(services, declared.experts))];
  return {
    ...{ actor, file, declaration },
    scopes: covered.scopes,
    entries: { total: covered.entries.length, shown: covered.entries.slice(0, entriesMax) },
    questions: open.questions.map(openQuestionRow),
    answers: { total: own.length, shown: latest },
    gaps: {
      total: gaps.length,
      shown: gaps.slice(0, gapsMax).map(({ id, at, question, missing }) => ({
        ...{ id, at, question },
        ...(missing !== undefined && { missing }),
      })),
    },
    diagnostics: doubts.filter(({ subject }) => subject === actor),
  };
}

/** The entries and plain notes that a search of an expert looks at, and how many of them lie in each of its scopes. */
function coveredBy(
  expert: Expert,
  { heads, others }: EntrySurvey,
): { readonly scopes: ExpertPage['scopes']; readonly entries: readonly CoveredEntry[] } {
  const notes = [
    ...heads.flatMap((head) => {
      const { title, kind, status } = head.fields;
      const isFound = !head.isArchived && status !== 'archived';
      return isFound ? [{ place: head, entry: { title, kind, path: entryPathInVault(head), status } }] : [];
    }),
    // A search also finds a note without a frontmatter, or with one that does not fit.
    ...others.flatMap(({ note }) =>
      note.isArchived ? [] : [{ place: note, entry: { title: note.path, path: entryPathInVault(note) } }],
    ),
  ];
  const scopes = scopesOf(expert);
  const names = [...expert['knowledge-scope'], ...expert['project-knowledge'].map((scope) => `${scope} (projects)`)];
  const counts = scopes.map((scope, at) => ({
    scope: names[at] ?? scope.glob,
    entries: notes.filter(({ place }) => liesInScopes([scope], place)).length,
  }));
  const entries = notes.filter(({ place }) => liesInScopes(scopes, place)).map(({ entry }) => entry);
  return { scopes: counts, entries: entries.sort((one, other) => (one.path < other.path ? -1 : 1)) };
}

async function answerRow(
  { situationOf }: Pick<RequestContext, 'situationOf'>,
  receipt: AnswerReceipt,
  signal: AbortSignal,
): Promise<ExpertAnswerRow> {
  try {
    const comparison = compareSituations(receipt, await situationOf(receipt, signal));
    return { ...receiptRow(receipt), comparison };
  } catch (error) {
    if (!isRavelError(error)) throw error;
    // A search that fails hides nothing else of the page.
    return receiptRow(receipt);
  }
}
