import { isRecord } from '../base/json.ts';

/**
 * What a person wrote into fields of a page and has not sent, by what it is about: `SUBJECT/FIELD`, the oldest first. A
 * subject holds no `/` at its end.
 */
export type Drafts = Readonly<Record<string, string>>;

/** A draft is one field that was left with text in it; a person who has a hundred of them has forgotten the oldest. */
const draftsMax = 100;
/** Of one draft, and of all of them together. */
const charactersMax = 100_000;
const allCharactersMax = 500_000;
const keyCharactersMax = 500;

/**
 * Sets the draft of a field and makes it the newest; an empty text removes it. Past the limits, the oldest drafts go.
 */
export function withDraft(drafts: Drafts, key: string, text: string): Drafts {
  const { [key]: _before, ...others } = drafts;
  if (text === '' || !isDraft(key, text)) return others;
  const all = Object.entries({ ...others, [key]: text });
  let characters = 0;
  let first = all.length;
  while (first > 0 && all.length - first < draftsMax) {
    characters += all[first - 1]?.[1].length ?? 0;
    if (characters > allCharactersMax) break;
    first -= 1;
  }
  return Object.fromEntries(all.slice(first));
}

/** The fields of a subject that have a draft. */
export function draftsOf(drafts: Drafts, subject: string): string[] {
  return Object.keys(drafts).filter((key) => key.startsWith(`${subject}/`));
}

/** Drafts as they were kept; anything else is left out. */
export function toDrafts(value: unknown): Drafts {
  if (!isRecord(value)) return {};
  let drafts: Drafts = {};
  for (const [key, text] of Object.entries(value)) if (isDraft(key, text)) drafts = withDraft(drafts, key, text);
  return drafts;
}

export function isDraft(key: unknown, text: unknown): text is string {
  if (typeof key !== 'string' || key === '' || key.length > keyCharactersMax) return false;
  return typeof text === 'string' && text.length <= charactersMax;
}
