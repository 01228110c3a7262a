import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { scopesOf } from '../../src/experts/expertScope.ts';
import { rarityOf } from '../../src/knowledge/retrieval/inverseFrequency.ts';
import { plainRanking } from '../../src/knowledge/retrieval/ranking.ts';
import { type Hit, search } from '../../src/knowledge/retrieval/search.ts';
import { SearchIndex } from '../../src/knowledge/retrieval/searchIndex.ts';
import { entriesOf } from '../../src/knowledge/search/entries.ts';
import { documentOf } from '../../src/knowledge/search/entryDocument.ts';
import { inKnowledgeScopes } from '../../src/knowledge/search/knowledgeScope.ts';
import { noteSource } from '../../src/knowledge/search/searchSource.ts';
import { loadExperts } from '../../src/vault/expertStore.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { type Bench, type BenchRow, round } from './bench.ts';
import { type AskedQuestion, readQuestions } from './expertQuestions.ts';

const goals = { right: 0.95, quiet: 0.9 };

/** The words of an entry, and those of its title and tags. */
interface Words {
  readonly all: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
}

/** What an expert searches. */
interface Scope {
  readonly index: SearchIndex;
  readonly words: ReadonlyMap<string, Words>;
}

interface Looked {
  readonly question: ReadonlySet<string>;
  /** The best first, ranked by their words alone. */
  readonly hits: readonly Hit[];
  readonly fullScore: number;
  /** How much a word tells in this scope; 0 for one that no entry has. */
  readonly tells: (word: string) => number;
  readonly frequency: (word: string) => number;
  readonly words: Scope['words'];
}

/** A word in as few entries is a rare one. */
const rareMax = 4;
const hitsLookedAt = 5;

/** What could tell that no entry holds the answer: the less, the more likely. */
const signals: Readonly<Record<string, (looked: Looked) => number>> = {
  score: ({ fullScore }) => fullScore,
  'score of the words alone': ({ hits }) => hits[0]?.score ?? 0,
  'words of the question in the best entry, by their rarity': (looked) => told(looked, () => true),
  'their share of the question': (looked) => told(looked, () => true) / (total(looked) || 1),
  'rare words of the question in the best entry': (looked) => told(looked, (word) => looked.frequency(word) <= rareMax),
  'words of the question in one title or its tags': ({ question, hits, words, tells }) =>
    Math.max(0, ...hits.map(({ id }) => sum(question, (word) => (words.get(id)?.title.has(word) ? tells(word) : 0)))),
  'how far the best entry is before the next ones': ({ hits }) =>
    (hits[0]?.score ?? 0) - sum(hits.slice(1), ({ score }) => score) / Math.max(1, hits.length - 1),
  'the best score as a multiple of the second': ({ hits }) => (hits[0]?.score ?? 0) / (hits[1]?.score ?? 1),
};

function told({ question, hits, words, tells }: Looked, counts: (word: string) => boolean): number {
  const best = words.get(hits[0]?.id ?? '')?.all;
  return sum(question, (word) => (best?.has(word) === true && counts(word) ? tells(word) : 0));
}

function total({ question, tells }: Looked): number {
  return sum(question, tells);
}

function sum<T>(items: Iterable<T>, amountOf: (item: T) => number): number {
  let all = 0;
  for (const item of items) all += amountOf(item);
  return all;
}

async function readScopes(): Promise<ReadonlyMap<string, Scope>> {
  const layout = new VaultLayout(join(process.cwd(), 'shipped'));
  const { experts } = await loadExperts(nodeDisk, layout);
  const paths = (await readdir(layout.knowledge, { recursive: true })).filter((path) => path.endsWith('.md')).sort();
  const scopes = new Map<string, Scope>();
  for (const { actor, expert } of experts) {
    const isInScope = inKnowledgeScopes(scopesOf(expert));
    const index = new SearchIndex();
    const words = new Map<string, Words>();
    for (const path of paths) {
      const source = noteSource(layout, '', path);
      for (const entry of entriesOf(source, await readFile(source.file, 'utf8')) ?? []) {
        const document = documentOf(source, entry);
        if (!isInScope(document.id)) continue;
        index.put(document);
        const title = wordsOf(index, [document.title, ...document.tags].join('\n'));
        words.set(document.id, { title, all: new Set([...title, ...wordsOf(index, entry.text)]) });
      }
    }
    scopes.set(actor.slice('expert:'.length), { index, words });
  }
  return scopes;
}

function wordsOf(index: SearchIndex, text: string): Set<string> {
  const words = new Set<string>();
  index.reader.eachTerm(text, (word) => void words.add(word));
  return words;
}

function look({ index, words }: Scope, question: string): Looked {
  const frequency = (word: string) => {
    const term = index.words.find(word);
    return term === undefined ? 0 : index.words.frequencyOf(term);
  };
  return {
    ...{ question: wordsOf(index, question), words, frequency },
    hits: search(index, question, { limit: hitsLookedAt, ranking: plainRanking }).hits,
    fullScore: search(index, question, { limit: 1 }).hits[0]?.score ?? 0,
    tells: (word) => (frequency(word) === 0 ? 0 : rarityOf(frequency(word), index.count)),
  };
}

/** How many of the answerable questions lie at or above a bound, and how many of the others below it. */
interface Judged {
  readonly kept: number;
  readonly quiet: number;
}

interface Measured {
  readonly isAnswered: boolean;
  readonly value: number;
}

/** The bound that keeps as many of the answerable questions as the goal wants. */
function boundOf(measured: readonly Measured[]): number {
  const values = measured.flatMap(({ isAnswered, value }) => (isAnswered ? [value] : [])).sort((a, b) => a - b);
  return values[Math.floor((1 - goals.right) * values.length)] ?? 0;
}

function judge(measured: readonly Measured[], bound: number): Judged {
  const shareOf = (is: boolean, holds: (value: number) => boolean) => {
    const some = measured.filter(({ isAnswered }) => isAnswered === is);
    return some.filter(({ value }) => holds(value)).length / Math.max(1, some.length);
  };
  return { kept: shareOf(true, (value) => value >= bound), quiet: shareOf(false, (value) => value < bound) };
}

/** Every second of the answerable questions and of the others. */
function halfOf(questions: readonly AskedQuestion[], half: 0 | 1): readonly AskedQuestion[] {
  const of = (is: boolean) => questions.filter(({ entries }) => entries.length > 0 === is);
  return [true, false].flatMap((is) => of(is).filter((_, n) => n % 2 === half));
}

/**
 * Whether anything that the words of a question and of its entries say tells that no entry holds the answer. Signal and
 * bound are chosen on one half of the questions and judged on the other. Ravel uses none: its sessions decline.
 */
async function runQuiet(): Promise<BenchRow> {
  const questions = await readQuestions();
  const scopes = await readScopes();
  const looks = new Map(
    questions.map((asked) => {
      const scope = scopes.get(asked.expert);
      if (scope === undefined) throw new Error(`there is no expert ${asked.expert}`);
      return [asked, look(scope, asked.question)];
    }),
  );
  const measure = (half: 0 | 1, signal: (looked: Looked) => number): readonly Measured[] =>
    halfOf(questions, half).flatMap((asked) => {
      const looked = looks.get(asked);
      return looked === undefined ? [] : [{ isAnswered: asked.entries.length > 0, value: signal(looked) }];
    });
  const rows = Object.entries(signals).map(([name, signal]) => {
    const bound = boundOf(measure(0, signal));
    return { name, chosen: judge(measure(0, signal), bound), judged: judge(measure(1, signal), bound) };
  });
  rows.sort((one, other) => other.chosen.quiet - one.chosen.quiet);
  const [best] = rows;
  const { kept, quiet } = best?.judged ?? { kept: 0, quiet: 0 };
  const others = rows.slice(1).map(({ name, judged }) => `${name} ${round(judged.quiet, 2)}`);
  return {
    id: 'expert-quiet',
    value: round(quiet, 3),
    unit: 'of the questions without an answer lie below a bound',
    goal: `≥ ${goals.quiet}, with ≥ ${goals.right} of the others above it`,
    ok: quiet >= goals.quiet && kept >= goals.right,
    note: `${questions.length} questions; signal and bound were chosen on one half: ${best?.name}; on the other half ${round(kept, 3)} of the answerable stay above it; ${others.join(', ')}. Words alone do not tell what an entry leaves unsaid, so no bound is used and sessions decline`,
  };
}

export const benches: readonly Bench[] = [{ id: 'expert-quiet', run: runQuiet }];
