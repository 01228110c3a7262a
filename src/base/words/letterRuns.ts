/** Letters that stand together: about as many as five words have. */
const runLength = 40;

/** Base of the rolling hash; odd, so that no letter is lost from its 32 bits. */
const base = 0x01000193;
const leaving = Array.from({ length: runLength }).reduce<number>((power) => Math.imul(power, base), 1);

/**
 * Finds what was given in a text by its letters and digits alone, wherever words begin: so neither marks inside words nor
 * marks in place of blanks hide a passage. Letters are compared as they are.
 */
export class LetterRuns {
  readonly #own = new Set<string>();
  readonly #hashes = new Set<number>();
  readonly #found = new Set<string>();

  constructor(text: string) {
    const letters = lettersOf(text);
    eachRun(letters, (hash, start) => {
      this.#hashes.add(hash);
      this.#own.add(letters.slice(start, start + runLength));
    });
  }

  /** Takes a text that was given. */
  add(given: string): void {
    if (this.#own.size === 0) return;
    const letters = lettersOf(given);
    eachRun(letters, (hash, start) => {
      if (!this.#hashes.has(hash)) return;
      const run = letters.slice(start, start + runLength);
      if (this.#own.has(run)) this.#found.add(run);
    });
  }

  /** The share of the text's runs of letters that was given, from 0 to 1; 0 for a text of fewer letters than a run. */
  get share(): number {
    return this.#own.size === 0 ? 0 : this.#found.size / this.#own.size;
  }
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/** With a hash that costs the same for each run, however long runs are. */
function eachRun(letters: string, take: (hash: number, start: number) => void): void {
  let hash = 0;
  for (let at = 0; at < letters.length; at += 1) {
    hash = (Math.imul(hash, base) + letters.charCodeAt(at)) | 0;
    const start = at + 1 - runLength;
    if (start > 0) hash = (hash - Math.imul(leaving, letters.charCodeAt(start - 1))) | 0;
    if (start >= 0) take(hash, start);
  }
}
