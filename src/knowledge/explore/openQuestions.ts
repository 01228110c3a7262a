import { foldedWords } from '../../base/words/shingles.ts';
import type { UnansweredQuestion } from '../../model/gap.ts';
import type { AskedQuestionRow } from '../../model/requests/knowledge.ts';

/** Questions that experts could not answer, each once however it was written; what was asked most often comes first. */
export function openQuestions(gaps: readonly UnansweredQuestion[]): readonly AskedQuestionRow[] {
  const rows = new Map<string, AskedQuestionRow>();
  for (const { question, expert, at, missing } of [...gaps].sort(byTime)) {
    const key = foldedWords(question).join(' ') || question;
    const { times = 0, experts = [], missing: missingBefore } = rows.get(key) ?? {};
    const said = missing ?? missingBefore;
    rows.set(key, {
      ...{ question, times: times + 1, last: at, experts: [...new Set([...experts, expert])].sort() },
      ...(said !== undefined && { missing: said }),
    });
  }
  return [...rows.values()].sort((one, other) => other.times - one.times || (one.question < other.question ? -1 : 1));
}

function byTime(one: UnansweredQuestion, other: UnansweredQuestion): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
