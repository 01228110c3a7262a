import { oneLine } from '../../base/text.ts';

/** Words that carry no content of their own; two clauses that share only these share nothing. */
const functionWords: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been being both but by can could did do does done each either else even every for from get gets ' +
    'had has have how however i if in instead into is it its just kept let like made make makes many may might more most much of ' +
    'off on once one or other our out over own per put rather same set so some still such than that the their them then there ' +
    'these they this those through thus to too under up upon us use used uses using very via was we were what when where whether ' +
    'which while who whole whose will with within would yet you your'
  ).split(' '),
);

/** Words that turn or narrow what a clause says; they are compared separately and do not count as content. */
const qualifiers: ReadonlySet<string> = new Set(
  'not never no none nothing nobody neither nor only must cannot without except unless always should shall'.split(' '),
);

const numberWords: Readonly<Record<string, string>> = {
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
};

/** Units that stand after a number, so that `30 s`, `30s` and `30 seconds` are one thing and `30 ms` another. */
const units: ReadonlyMap<string, string> = new Map(
  [
    ['s', 'sec', 'secs', 'second', 'seconds'],
    ['ms', 'millisecond', 'milliseconds'],
    ['min', 'mins', 'minute', 'minutes'],
    ['h', 'hour', 'hours'],
    ['d', 'day', 'days'],
    ['w', 'week', 'weeks'],
    ['month', 'months'],
    ['year', 'years'],
    ['b', 'byte', 'bytes'],
    ['kb', 'kilobyte', 'kilobytes'],
    ['mb', 'megabyte', 'megabytes'],
    ['gb', 'gigabyte', 'gigabytes'],
    ['tb'],
    ['kib'],
    ['mib'],
    ['gib'],
    ['%', 'percent'],
    ['usd', 'dollar', 'dollars'],
    ['word', 'words'],
    ['line', 'lines'],
    ['token', 'tokens'],
    ['character', 'characters', 'chars'],
    ['px'],
    ['hz'],
    ['times', 'x'],
  ].flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)),
);

export interface Sentence {
  readonly text: string;
  /** What a comma, a dash or a conjunction separates; those without words are left out. */
  readonly clauses: readonly Clause[];
}

export interface Clause {
  /** For messages. */
  readonly text: string;
  readonly words: readonly DreamWord[];
}

/** A word of a clause in its comparable form. */
export interface DreamWord {
  readonly kind: 'content' | 'qualifier' | 'number' | 'function';
  readonly text: string;
}

/** Sentences of a text, wrapped lines joined; list items and headings stand for themselves. */
export function sentencesOf(text: string): Sentence[] {
  const joined = text
    .replace(/\r\n?/g, '\n')
    .replace(/```[^\n]*/g, '\n')
    .replace(/\n(?![^\S\n]*(?:\n|[-*+#>|]|\d+[.)]\s))/g, ' ');
  return joined
    .split(/\n+|(?<=[.!?;])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => ({ text: sentence, clauses: clausesOf(sentence) }));
}

function clausesOf(sentence: string): Clause[] {
  return oneLine(sentence)
    .split(/, | [-–—]+ | (?:and|or|but|while|whereas|because|so|then) /i)
    .map((clause) => ({ text: clause.trim(), words: dreamWordsOf(clause) }))
    .filter(({ words }) => words.length > 0);
}

/** The comparable words of a piece of text. */
export function dreamWordsOf(text: string): DreamWord[] {
  const plain = plainOf(text);
  const found: DreamWord[] = [];
  let unitEnd = 0;
  for (const match of plain.matchAll(wordPattern)) {
    const [word, date, number, attached] = match;
    if (match.index < unitEnd) continue;
    if (date !== undefined) {
      found.push({ kind: 'number', text: date });
    } else if (number !== undefined) {
      const rest = match.index + word.length;
      const following = attached === undefined ? (/^\s?(%|[a-z]+)/.exec(plain.slice(rest)) ?? undefined) : undefined;
      const unit = units.get(attached ?? following?.[1] ?? '');
      found.push({ kind: 'number', text: unit === undefined ? number : `${number} ${unit}` });
      if (attached !== undefined && unit === undefined) found.push({ kind: 'content', text: attached });
      if (following !== undefined && unit !== undefined) unitEnd = rest + following[0].length;
    } else {
      found.push(wordOf(word));
    }
  }
  return found;
}

function plainOf(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase();
  // Most clauses are short and hold none of what is replaced.
  if (!/['’‘,]|can not/.test(lower)) return lower;
  return lower
    .replace(/[’‘]/g, "'")
    .replace(/\bcan't\b|\bcan not\b/g, 'cannot')
    .replace(/\bwon't\b/g, 'will not')
    .replace(/n't\b/g, ' not')
    .replace(/(\d),(?=\d{3}\b)/g, '$1');
}

/** Whether this is a number and its unit in one word, such as `30s`; it may be written apart as well. */
export function isQuantity(text: string): boolean {
  const suffix = /^\d+(?:\.\d+)?([a-z%]+)$/.exec(text.toLowerCase())?.[1];
  return suffix !== undefined && units.has(suffix);
}

/** A date or time stamp; a number with a unit that may follow at once; a word. */
const wordPattern =
  /(\d{4}-\d{2}-\d{2}(?:t[\d:.]+z?)?)|(?<![\p{L}\d_.])(-?\d+(?:[.:]\d+)*)(%|[a-zµ]{1,4}(?![\p{L}\d_]))?|[\p{L}_][\p{L}\d_]*/gu;

function wordOf(word: string): DreamWord {
  if (qualifiers.has(word)) return { kind: 'qualifier', text: word };
  const number = numberWords[word];
  if (number !== undefined) return { kind: 'number', text: number };
  if (functionWords.has(word)) return { kind: 'function', text: word };
  return { kind: 'content', text: stem(word) };
}

/** Enough to see `merges`, `merged` and `merging` as one word; never two different ones of three letters. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  const base = word
    .replace(/(?<=..)(?:ies|ied)$/, 'y')
    .replace(/(?<=...)(?:ing|ed|es|s|ly)$/, '')
    .replace(/(?<=..)e$/, '');
  return base.replace(/([^aeiouls])\1$/, '$1');
}
