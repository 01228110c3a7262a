import type { Diagnostic } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import { diagnostic } from '../model/codes.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';

/** A file that is something else altogether would have a warning for each of its lines. */
const shownMax = 100;

/** What a person should look at in one file that is imported. */
export class ImportWarnings {
  readonly #place: YamlPlace;
  readonly #reported: Diagnostic[] = [];
  #more = 0;

  constructor(place: YamlPlace) {
    this.#place = place;
  }

  /** Takes the line from 0; undefined for the whole file. Asks for no message that is not told. */
  add(line: number | undefined, message: () => string): void {
    if (this.#reported.length < shownMax) this.#reported.push(unclear(this.#place, line, message()));
    else this.#more += 1;
  }

  /** The first of them, and how many there are beside. */
  all(): readonly Diagnostic[] {
    if (this.#more === 0) return this.#reported;
    const message = `${plural(this.#more, 'more place')} should be looked at.`;
    return [...this.#reported, unclear(this.#place, undefined, message)];
  }
}

export function unclear(place: YamlPlace, line: number | undefined, message: string): Diagnostic {
  const position = { line: line ?? 0, character: 0 };
  return diagnostic('import/unclear', place.subject, message, {
    severity: 'warning',
    file: place.file,
    ...(line !== undefined && { range: { start: position, end: position } }),
  });
}
