/**
 * What is noise stands first, so that no word is found within it: addresses of pages and of people, times, UUIDs, hex
 * numbers and dumps. Every repetition that can fail has a bound.
 */
const tokens = new RegExp(
  [
    String.raw`\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s)>\]"']+`,
    String.raw`\bwww\.[^\s)>\]"']+`,
    String.raw`[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}`,
    String.raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.,]{0,16}(?:Z|[+-]\d\d:?\d\d)?)?`,
    String.raw`\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?`,
    String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`,
    String.raw`\b0x[0-9a-f]+\b`,
    String.raw`\b(?:[0-9a-f]{2}|[0-9a-f]{4}|[0-9a-f]{8})(?:[ :](?:[0-9a-f]{2}|[0-9a-f]{4}|[0-9a-f]{8})){7,}\b`,
    String.raw`(?<word>(?<![\p{L}\p{N}])[cfj](?:\+\+|#)(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060\ufeff]+(?:['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}]))?)`,
  ].join('|'),
  'iuy',
);

/** Told each word as it is written, and where it begins; false if no more are wanted. */
type Take = (written: string, start: number) => boolean;

/** Calls `take` with each word of a text, from the left. What is noise as a whole, such as an address, is left out. */
export function eachToken(text: string, take: Take): void {
  // A pattern remembers where it was, so each text that needs one has its own.
  let pattern: RegExp | undefined;
  const signs = new NoiseSigns(text);
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at);
    if (kind === 'gap' || (kind === 'sign' && !signs.isMailNear(at))) {
      at += 1;
      continue;
    }
    const end = kind === 'letter' ? endOfPlainWord(text, at) : 0;
    if (end > 0 && !signs.isMailNear(at) && !signs.isSchemeNear(at)) {
      if (!take(text.slice(at, end), at)) return;
      at = end;
      continue;
    }
    pattern ??= new RegExp(tokens);
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    if (found.groups?.['word'] !== undefined && !take(found[0], at)) return;
    at = pattern.lastIndex;
  }
}

/** Where the next sign stands without which a text has no addresses. Asked from the left to the right. */
class NoiseSigns {
  private readonly text: string;
  private mail: number;
  private scheme: number;

  constructor(text: string) {
    this.text = text;
    this.mail = text.indexOf('@');
    this.scheme = text.indexOf('://');
  }

  /** At most 64 characters of an address come before the sign; see `tokens`. */
  isMailNear(at: number): boolean {
    if (this.mail !== -1 && this.mail < at) this.mail = this.text.indexOf('@', at);
    return this.mail !== -1 && this.mail - at <= 64;
  }

  isSchemeNear(at: number): boolean {
    if (this.scheme !== -1 && this.scheme < at) this.scheme = this.text.indexOf('://', at);
    return this.scheme !== -1 && this.scheme - at <= 16;
  }
}

/** A `sign` can only begin a mail address; `other` is everything that is not plain. */
type Kind = 'gap' | 'letter' | 'sign' | 'other';

const kinds: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return 'letter';
  if (/\d/.test(character)) return 'other';
  return /[.+_-]/.test(character) ? 'sign' : 'gap';
});

function kindAt(text: string, at: number): Kind {
  return kinds[text.charCodeAt(at)] ?? 'other';
}

/** Of a word of ASCII letters that is nothing else for certain; 0 if only the pattern can tell. */
function endOfPlainWord(text: string, start: number): number {
  let end = start + 1;
  while (kindAt(text, end) === 'letter') end += 1;
  const next = text[end];
  if (next !== undefined && kindAt(text, end) === 'other') return 0;
  const length = end - start;
  if (next === "'" || (length === 1 && (next === '+' || next === '#')) || (length === 3 && next === '.')) return 0;
  return (length === 2 || length === 4 || length === 8) && isHex(text, start, end) ? 0 : end;
}

function isHex(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const lower = text.charCodeAt(at) | 0x20;
    if (lower < 0x61 || lower > 0x66) return false;
  }
  return true;
}
