import { gapFolder } from '../experts/gaps.ts';
import { findGaps } from '../knowledge/entries/gaps.ts';
import type { KnowledgeBase, Known } from '../knowledge/entries/knowledgeBase.ts';
import { alikePairs } from '../knowledge/explore/alikePairs.ts';
import { tagConnections } from '../knowledge/explore/connections.ts';
import { openQuestions } from '../knowledge/explore/openQuestions.ts';
import { usedNamesOf } from '../knowledge/uses/usedNames.ts';
import { loadUses } from '../knowledge/uses/useJournal.ts';
import type { UnansweredQuestion } from '../model/gap.ts';
import type { KnowledgeResults, UnprovenRow } from '../model/requests/knowledge.ts';
import { axisOf, type EntryHead, entrySubject } from '../vault/entryFile.ts';
import { foldersOfScope } from '../vault/expertStore.ts';
import type { ParsedParams, RequestContext } from './handlers.ts';

/** Rows of each part of an answer. */
const rowsMax = 20;
/** Entries whose texts are compared; of more, those that lie evenly among them. */
const comparedMax = 3000;
/** Characters of an entry that are compared. */
const textLengthMax = 20_000;

/** Where the knowledge could grow. Code alone finds it, so the same files give the same answer. */
export async function exploreKnowledge(
  context: RequestContext,
  { tag, axis }: ParsedParams<'explore_knowledge'>,
  signal: AbortSignal,
): Promise<KnowledgeResults['explore_knowledge']> {
  const { knowledge, services } = context;
  const base = await knowledge.base();
  const known = await base.survey(signal);
  const live = known.heads.filter(({ isArchived, fields }) => !isArchived && fields['superseded-by'].length === 0);
  const concerns = (head: EntryHead) =>
    (tag === undefined || head.fields.tags.includes(tag)) && (axis === undefined || axisOf(head) === axis);
  const own = new Set(live.filter(concerns).map(entrySubject));
  const gaps = findGaps(known.heads).filter(
    ({ kind, entries }) => kind !== 'unproven' && entries.some((entry) => own.has(entry)),
  );
  const { records, diagnostics } = await gapFolder(services).loadAll();
  const questions = openQuestions(await questionsAbout(context, records, { tag, axis }));
  const { heads, texts, of } = await textsOf(base, known, live, signal);
  const connections = await tagConnections(
    heads,
    known.index,
    alikePairs(texts, signal),
    (head, name) => (tag === undefined || name === tag) && (axis === undefined || axisOf(head) === axis),
  );
  const unproven = await citedUnproven(context, known, live.filter(concerns));
  return {
    ...{ gaps: gaps.slice(0, rowsMax), questions: questions.slice(0, rowsMax) },
    ...{ connections: connections.slice(0, rowsMax), unproven: unproven.slice(0, rowsMax) },
    totals: {
      ...{ gaps: gaps.length, questions: questions.length },
      ...{ connections: connections.length, unproven: unproven.length },
    },
    compared: { entries: heads.length, of },
    diagnostics,
  };
}

/** Those of the experts that have the tag, or answer from the axis. */
async function questionsAbout(
  { registry }: RequestContext,
  gaps: readonly UnansweredQuestion[],
  { tag, axis }: ParsedParams<'explore_knowledge'>,
): Promise<readonly UnansweredQuestion[]> {
  if (tag === undefined && axis === undefined) return gaps;
  const { experts } = await registry.current();
  const about = experts.filter(
    ({ expert }) =>
      (tag === undefined || expert.tags.includes(tag)) &&
      (axis === undefined || expert['knowledge-scope'].some((scope) => (foldersOfScope(scope)[0] ?? axis) === axis)),
  );
  const actors = new Set<string>(about.map(({ actor }) => actor));
  return gaps.filter(({ expert }) => actors.has(expert));
}

async function textsOf(base: KnowledgeBase, known: Known, live: readonly EntryHead[], signal: AbortSignal) {
  const tagged = live.filter(({ fields }) => fields.tags.length > 0);
  const step = Math.max(1, Math.ceil(tagged.length / comparedMax));
  const heads: EntryHead[] = [];
  const texts: { readonly title: string; readonly text: string }[] = [];
  for (const head of tagged.filter((_head, at) => at % step === 0)) {
    signal.throwIfAborted();
    // One that went away meanwhile is compared with nothing.
    const entry = await base.load(entrySubject(head), known).catch(() => undefined);
    if (entry === undefined) continue;
    heads.push(head);
    texts.push({ title: entry.fields.title, text: entry.body.slice(0, textLengthMax) });
  }
  return { heads, texts, of: tagged.length };
}

async function citedUnproven(
  { knowledge, services: { disk, layout }, isOwner }: RequestContext,
  { index }: Known,
  heads: readonly EntryHead[],
): Promise<readonly UnprovenRow[]> {
  const doubtful = heads.filter(({ fields }) => fields.confidence === 'low' || fields.confidence === 'prospective');
  const fold = isOwner ? undefined : (await loadUses(disk, layout.uses, layout.usesAside)).fold;
  const rows: UnprovenRow[] = [];
  for (const head of doubtful) {
    const names = usedNamesOf(head);
    const cited = (fold === undefined ? await knowledge.uses.of(names) : fold.of(names))?.cited ?? 0;
    const citations = cited + index.backlinks(head).length;
    if (citations === 0) continue;
    rows.push({
      ...{ entry: entrySubject(head), title: head.fields.title, confidence: head.fields.confidence, citations },
    });
  }
  return rows.sort((one, other) => other.citations - one.citations || (one.entry < other.entry ? -1 : 1));
}
