/**
 * The stem of an English word in lower-case ASCII letters: what `refund`, `refunds` and `refunded` have in common. This is
 * the algorithm that its author calls Porter 2; the names of the steps are his. What holds anything but letters is its own stem.
 */
export function stemOf(word: string): string {
  if (word.length <= 2 || !/^[a-z]+$/.test(word)) return word;
  const irregular = irregularStems.get(word);
  if (irregular !== undefined) return irregular;
  const marked = markConsonants(word);
  const start = startOfFirstRegion(marked);
  const regions: Regions = { first: start, second: startOfRegion(marked, start) };
  const singular = withoutPlural(marked);
  if (keptWhole.has(singular)) return singular;
  const plain = withoutTense(singular, regions).replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  const shorter = replaceEnding(plain, derivations, regions);
  const shortest = removeEnding(replaceEnding(shorter, adjectives, regions), regions);
  return withoutFinalLetter(shortest, regions).replaceAll('Y', 'y');
}

/** Where the parts of a word begin in which endings may be changed: R1 and R2. */
interface Regions {
  readonly first: number;
  readonly second: number;
}

const irregularStems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ skis: 'ski', skies: 'sky', dying: 'die', lying: 'lie', tying: 'tie', idly: 'idl', gently: 'gentl' },
    ...{ ugly: 'ugli', early: 'earli', only: 'onli', singly: 'singl' },
    ...{ sky: 'sky', news: 'news', howe: 'howe', atlas: 'atlas', cosmos: 'cosmos', bias: 'bias', andes: 'andes' },
  }),
);

const keptWhole: ReadonlySet<string> = new Set([
  ...['inning', 'outing', 'canning', 'herring', 'earring', 'evening', 'proceed', 'exceed', 'succeed'],
]);

/** A `y` that stands for a consonant, at the beginning or behind a vowel, is written as `Y`. */
function markConsonants(word: string): string {
  if (!word.includes('y')) return word;
  let marked = '';
  for (const letter of word) {
    const consonant = letter === 'y' && (marked === '' || /[aeiouy]$/.test(marked));
    marked += consonant ? 'Y' : letter;
  }
  return marked;
}

function startOfFirstRegion(word: string): number {
  const beginning = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/.exec(word);
  return beginning === null ? startOfRegion(word, 0) : beginning[0].length;
}

/** Behind the first consonant that follows a vowel, looking from `from` on. */
function startOfRegion(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at++) {
    if (isVowel(word, at - 1) && !isVowel(word, at)) return at + 1;
  }
  return word.length;
}

function isVowel(word: string, at: number): boolean {
  return 'aeiouy'.includes(word[at] ?? '-');
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word.endsWith('ied') ? withoutFinalIed(word) : word;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return withoutFinalIed(word);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  return /[aeiouy]/.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutFinalIed(word: string): string {
  return word.slice(0, word.length > 4 ? -2 : -1);
}

function withoutTense(word: string, regions: Regions): string {
  const agreed = /eed(?:ly)?$/.exec(word);
  if (agreed !== null) return agreed.index >= regions.first ? `${word.slice(0, agreed.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (ending === null) return word;
  const rest = word.slice(0, ending.index);
  if (!/[aeiouy]/.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/^[aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return rest.length <= regions.first && endsShort(rest) ? `${rest}e` : rest;
}

/** Whether it ends in a syllable that is said short, as in `hop` and `at`; `past`, of `paste`, counts as one. */
function endsShort(word: string): boolean {
  return /(?:^past|^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/.test(word);
}

type Endings = readonly (readonly [ending: string, replacement: string, when?: RegExp | 'second'])[];

/** Step 2. Longer endings stand before those that they end in. */
const derivations: Endings = [
  ...[['ational', 'ate'] as const, ['fulness', 'ful'] as const, ['iveness', 'ive'] as const],
  ...[
    ['ization', 'ize'] as const,
    ['ousness', 'ous'] as const,
    ['biliti', 'ble'] as const,
    ['lessli', 'less'] as const,
  ],
  ...[['tional', 'tion'] as const, ['alism', 'al'] as const, ['aliti', 'al'] as const, ['ation', 'ate'] as const],
  ...[['entli', 'ent'] as const, ['fulli', 'ful'] as const, ['iviti', 'ive'] as const, ['ousli', 'ous'] as const],
  ...[['abli', 'able'] as const, ['alli', 'al'] as const, ['anci', 'ance'] as const, ['ator', 'ate'] as const],
  ...[['enci', 'ence'] as const, ['izer', 'ize'] as const, ['bli', 'ble'] as const, ['ogi', 'og', /logi$/] as const],
  ['li', '', /[cdeghkmnrt]li$/],
];

/** Step 3. */
const adjectives: Endings = [
  ...[['ational', 'ate'] as const, ['tional', 'tion'] as const, ['alize', 'al'] as const, ['icate', 'ic'] as const],
  ...[['iciti', 'ic'] as const, ['ative', '', 'second'] as const, ['ical', 'ic'] as const, ['ness', ''] as const],
  ['ful', ''],
];

function replaceEnding(word: string, endings: Endings, regions: Regions): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const [ending, replacement, when] = found;
  const start = word.length - ending.length;
  if (start < (when === 'second' ? regions.second : regions.first)) return word;
  if (when instanceof RegExp && !when.test(word)) return word;
  return word.slice(0, start) + replacement;
}

/** Step 4; `ion` goes only behind `s` and `t`. */
const removable = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

function removeEnding(word: string, regions: Regions): string {
  const ending = removable.exec(word);
  if (ending === null || ending.index < regions.second) return word;
  if (ending[0] === 'ion' && !/[st]ion$/.test(word)) return word;
  return word.slice(0, ending.index);
}

function withoutFinalLetter(word: string, regions: Regions): string {
  const last = word.length - 1;
  if (word.endsWith('e')) {
    const rest = word.slice(0, last);
    return last >= regions.second || (last >= regions.first && !endsShort(rest)) ? rest : word;
  }
  return word.endsWith('ll') && last >= regions.second ? word.slice(0, last) : word;
}
