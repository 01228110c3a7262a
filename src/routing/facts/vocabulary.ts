import type { Recipient } from '../../model/routing.ts';
import { factsMax } from '../../model/routing.ts';
import { FactSelection } from './factSelection.ts';
import { Lexicon } from './lexicon.ts';
import { type PreparedRecipients, prepareRecipients } from './preparedRecipients.ts';
import { TermMatcher } from './termMatcher.ts';
import { type RuleWords, type Term, termsOf } from './terms.ts';
import { readWords, rowOf } from './text.ts';

/** What facts can be of: the terms of the rules, then names and tags, then words of descriptions. */
export interface Vocabulary {
  /** The heaviest first. */
  readonly terms: readonly Term[];
  readonly prepared: PreparedRecipients;
  readonly lexicon: Lexicon;
  readonly matcher: TermMatcher;
  readonly weights: Uint32Array;
}

export interface Fact {
  /** In lower case, as the rules or the recipients write it. */
  readonly fact: string;
  readonly origin: Term['origin'];
  /** The rules or recipients that the term is from. */
  readonly sources: readonly string[];
  /** Words of the text that gave it, as the text writes them; each once. */
  readonly words: readonly string[];
}

/** The rules count that are on. What is prepared of the recipients can be given, since it changes more rarely than the rules. */
export function createVocabulary(options: {
  readonly rules: readonly RuleWords[];
  readonly recipients: readonly Recipient[];
  readonly prepared?: PreparedRecipients;
}): Vocabulary {
  const prepared = options.prepared ?? prepareRecipients(options.recipients);
  const terms = termsOf(options.rules, prepared);
  const lexicon = new Lexicon();
  for (const { phrases } of terms) for (const phrase of phrases) for (const stem of phrase) lexicon.add(stem);
  const weights = Uint32Array.from(terms, ({ weight }) => weight);
  return { terms, prepared, lexicon, matcher: new TermMatcher(terms, lexicon), weights };
}

/** What a text is about: at most `most` facts, the heaviest first. The text is data, whatever it says. */
export function factsOf(vocabulary: Vocabulary, text: string, most = factsMax): Fact[] {
  const { terms, lexicon, matcher, weights } = vocabulary;
  const words = rowOf(readWords(text));
  const numbers = Uint32Array.from(words, (word) => (word === undefined ? 0 : lexicon.find(word.stem)));
  const selection = new FactSelection(weights, most);
  const occurrences = new Map<number, Set<string>>();
  matcher.match(numbers, (term, at, length) => {
    selection.add(term, at);
    const [first, last] = [words[at], words[at + length - 1]];
    if (first === undefined || last === undefined) return;
    const seen = occurrences.get(term);
    const written = text.slice(first.start, last.end);
    if (seen === undefined) occurrences.set(term, new Set([written]));
    else if (seen.size < wordsShownMax) seen.add(written);
  });
  return selection.chosen.flatMap((number) => {
    const term = terms[number];
    if (term === undefined) return [];
    return { fact: term.term, origin: term.origin, sources: term.sources, words: [...(occurrences.get(number) ?? [])] };
  });
}

/** Ways of writing one fact that are shown. */
const wordsShownMax = 5;
