import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Drafts, toDrafts, withDraft } from '../../model/drafts.ts';
import type { UiContext } from '../uiContext.ts';

/** Where an editor keeps things for a workspace. */
export interface Memento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface DraftStoreParts {
  readonly memento: Memento;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export function draftParts({
  context,
  clock,
  onError,
}: Pick<UiContext, 'context' | 'clock' | 'onError'>): DraftStoreParts {
  return { memento: context.workspaceState, clock, onError };
}

const draftsKey = 'ravel.drafts';
/** Keys of one pause in typing are written once. */
export const saveMs = 500;

/** What was typed into the pages of a vault and not sent, kept with the workspace. */
class DraftStore implements Disposable {
  readonly #parts: DraftStoreParts;
  readonly #key: string;
  #drafts: Drafts;
  #timer: Disposable | undefined;

  /** `page` names a kind of pages: two stores of one name would write over each other. */
  constructor(page: string, vault: string, parts: DraftStoreParts) {
    this.#parts = parts;
    this.#key = `${draftsKey} ${page} ${vault}`;
    this.#drafts = toDrafts(parts.memento.get(this.#key));
  }

  get all(): Drafts {
    return this.#drafts;
  }

  set(key: string, text: string): void {
    this.#drafts = withDraft(this.#drafts, key, text);
    this.#timer ??= this.#parts.clock.schedule(saveMs, () => this.#save());
  }

  dispose(): void {
    if (this.#timer !== undefined) this.#save();
  }

  #save(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { memento, onError } = this.#parts;
    const isEmpty = Object.keys(this.#drafts).length === 0;
    memento.update(this.#key, isEmpty ? undefined : this.#drafts).then(undefined, onError);
  }
}

/** The drafts of one kind of pages, for each vault that the window shows. */
export class DraftStores implements Disposable {
  readonly #page: string;
  readonly #parts: DraftStoreParts;
  readonly #stores = new Map<string, DraftStore>();

  constructor(page: string, parts: DraftStoreParts) {
    this.#page = page;
    this.#parts = parts;
  }

  of(vault: string): DraftStore {
    const known = this.#stores.get(vault);
    if (known !== undefined) return known;
    const store = new DraftStore(this.#page, vault, this.#parts);
    this.#stores.set(vault, store);
    return store;
  }

  dispose(): void {
    for (const store of this.#stores.values()) store.dispose();
    this.#stores.clear();
  }
}
