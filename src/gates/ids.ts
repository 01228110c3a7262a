import { memoryFingerprint } from '../model/memory.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { type PlanRecord, recordsOf, textOf, topLevel, verdictOf } from './records.ts';

/** Lists whose records have ids, and the field that holds what a record says. */
const identified: readonly { readonly file: PlanFile; readonly list: string; readonly body: string }[] = [
  { file: planFiles.backlog, list: 'tasks', body: 'description' },
  { file: planFiles.backlog, list: 'received', body: 'body' },
  { file: planFiles.memory, list: 'entries', body: 'body' },
  { file: planFiles.latestSession, list: 'claims', body: 'text' },
  { file: planFiles.dispatches, list: 'dispatches', body: 'body' },
  { file: planFiles.queries, list: 'queries', body: 'body' },
];

/** Lists whose ids are made from titles; messages carry ids of their own kind. */
const slugLists = new Set(['tasks', 'entries', 'claims']);
const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Ids are unique, made like slugs, and stay with what they name. */
export function judgeIds(proposal: Proposal): Verdict {
  const findings = identified.flatMap(({ file, list, body }) => {
    const before = recordsOf(proposal.baseValues, file, list);
    const after = recordsOf(proposal.proposedValues, file, list);
    return [
      ...duplicates(before, after).map((id) => `${file}: the id "${id}" stands more than once in ${list}.`),
      ...(slugLists.has(list) ? badSlugs(before, after) : []).map(
        (id) => `${file}: the id "${id}" in ${list} is not made of lower-case letters, digits and single hyphens.`,
      ),
      ...renamed(before, after, body).map(
        ({ from, to }) => `${file}: "${from}" became "${to}"; an id never changes, only what it names.`,
      ),
    ];
  });
  const record = topLevel(proposal.proposedValues, planFiles.latestSession)['id'];
  const earlier = topLevel(proposal.baseValues, planFiles.latestSession)['id'];
  if (typeof record === 'string' && record !== earlier && !slugPattern.test(record)) {
    findings.push(
      `${planFiles.latestSession}: the id "${record}" is not made of lower-case letters, digits and hyphens.`,
    );
  }
  return verdictOf('An id is not unique, not well made, or was changed.', findings);
}

function duplicates(before: readonly PlanRecord[], after: readonly PlanRecord[]): string[] {
  const known = new Set(repeated(before));
  return [...new Set(repeated(after))].filter((id) => !known.has(id));
}

function repeated(records: readonly PlanRecord[]): string[] {
  const seen = new Set<string>();
  return records.map(({ id }) => id).filter((id) => seen.size === seen.add(id).size);
}

function badSlugs(before: readonly PlanRecord[], after: readonly PlanRecord[]): string[] {
  const known = new Set(before.map(({ id }) => id));
  return after.map(({ id }) => id).filter((id) => !known.has(id) && !slugPattern.test(id));
}

function renamed(before: readonly PlanRecord[], after: readonly PlanRecord[], body: string) {
  const old = new Set(before.map(({ id }) => id));
  const now = new Set(after.map(({ id }) => id));
  const gone = new Map(before.filter(({ id }) => !now.has(id)).map((record) => [contentOf(record, body), record.id]));
  return after
    .filter(({ id }) => !old.has(id))
    .flatMap((record) => {
      const from = gone.get(contentOf(record, body));
      return from === undefined ? [] : [{ from, to: record.id }];
    });
}

function contentOf(record: PlanRecord, body: string): string {
  return memoryFingerprint({ title: textOf(record['title']), body: textOf(record[body]) });
}
