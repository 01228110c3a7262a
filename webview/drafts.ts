import type { ElementPart } from 'lit';
import { Directive, directive } from 'lit/directive.js';
import { type Drafts, draftsOf, withDraft } from '../src/model/drafts.ts';

/** The drafts of a page: what stands in its fields and was not sent. */
export class DraftBook {
  readonly #onChange: (key: string, text: string) => void;
  #drafts: Drafts = {};

  /** `onChange` gets the current text of the field, or an empty one if that is no longer a draft. */
  constructor(onChange: (key: string, text: string) => void) {
    this.#onChange = onChange;
  }

  get all(): Drafts {
    return this.#drafts;
  }

  /** Takes the drafts that were kept, without calling `onChange`. */
  restore(drafts: Drafts): void {
    this.#drafts = drafts;
  }

  get(key: string): string | undefined {
    return this.#drafts[key];
  }

  /** The fields of a subject that have a draft. */
  keysOf(subject: string): string[] {
    return draftsOf(this.#drafts, subject);
  }

  has(subject: string): boolean {
    return this.keysOf(subject).length > 0;
  }

  /** The ids of a kind that have a draft in a plan. */
  idsOf(kind: string, plan: string): string[] {
    const before = subjectOf(kind, plan, '');
    const keys = Object.keys(this.#drafts).filter((key) => key.startsWith(before));
    return [...new Set(keys.map((key) => key.slice(before.length).split('/', 1)[0] ?? ''))];
  }

  set(key: string, text: string): void {
    if ((this.#drafts[key] ?? '') === text) return;
    this.#drafts = withDraft(this.#drafts, key, text);
    this.#onChange(key, text);
  }

  /** Once a subject was sent or given up. */
  drop(subject: string): void {
    for (const key of this.keysOf(subject)) this.set(key, '');
  }
}

/** What is of a plan, or of something in it; no id of a plan holds `#`. */
export function subjectOf(kind: string, plan: string, id = ''): string {
  return `${kind}/${plan}#${id}`;
}

export function questionSubject(approval: string): string {
  return `question/${approval}`;
}

interface Field extends Element {
  value: string;
}

class DraftField extends Directive {
  #key: string | undefined;
  #listens = false;
  #remember: (text: string) => void = () => undefined;

  render(_drafts: DraftBook, _key: string, _initial = ''): void {}

  override update({ element }: ElementPart, [drafts, key, initial = '']: Parameters<this['render']>): void {
    const field = element as Field;
    if (!this.#listens) field.addEventListener('input', () => this.#remember(field.value));
    this.#listens = true;
    // The initial text does not count as a draft.
    this.#remember = (text) => drafts.set(key, text === initial ? '' : text);
    if (this.#key !== key) field.value = drafts.get(key) ?? initial;
    this.#key = key;
  }
}

/**
 * Lets a field keep what is typed into it under a key of `drafts`, and begin with that; else it begins with `initial`. An
 * attribute of its own in the tag of the field: `<input ${draftField(drafts, 'note/PLAN/text')}>`.
 */
export const draftField = directive(DraftField);
