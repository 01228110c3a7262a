import { join } from 'node:path';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Diagnostic } from '../../base/errors.ts';
import type { RavelEvent } from '../../model/event.ts';
import type { Api } from '../../model/protocol.ts';
import type { RuleRow, SuggestionRow } from '../../model/requests/routing.ts';
import type { UiContext } from '../uiContext.ts';
import type { VaultLink } from '../vaultLink.ts';

type ReviewContext = Pick<UiContext, 'link' | 'model' | 'clock' | 'onError' | 'log'>;

/** What changes together is read once. */
const readMs = 100;

/**
 * The rules of the vault and what is suggested for them, as all of this window shows it. Nothing is requested before a
 * suggestion waits, or the user opens `routing.yaml`.
 */
export class RuleReview implements Disposable {
  readonly #ui: ReviewContext;
  readonly #changes: Emitter<void>;
  readonly #subscriptions: Disposable;
  #events: Disposable | undefined;
  #timer: Disposable | undefined;
  #isReading = false;
  #isStale = false;
  #wantsRules = false;
  #suggestions: readonly SuggestionRow[] = [];
  #rules: readonly RuleRow[] = [];
  #diagnostics: readonly Diagnostic[] = [];

  constructor(ui: ReviewContext) {
    this.#ui = ui;
    this.#changes = new Emitter(ui.onError);
    this.#subscriptions = disposeAll([
      ui.link.onDidChange((link) => this.#follow(link)),
      ui.model.onDidChange(({ approvals }) => {
        if (approvals && this.#isWanted()) this.#readSoon();
      }),
    ]);
    this.#follow(ui.link.value);
  }

  /** Suggestions and rules may be other ones than before. */
  get onDidChange() {
    return this.#changes.event;
  }

  /** The file of the rules; undefined while the window shows no vault. */
  get file(): string | undefined {
    const vault = this.#ui.link.value?.vault;
    return vault === undefined ? undefined : join(vault, 'routing.yaml');
  }

  /** In the order in which they would stand in the file. */
  get suggestions(): readonly SuggestionRow[] {
    return this.#suggestions;
  }

  get rules(): readonly RuleRow[] {
    return this.#rules;
  }

  /** What is wrong with the file as it is on disk. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  suggestion(approval: string | undefined): SuggestionRow | undefined {
    return this.#suggestions.find((row) => row.approval === approval);
  }

  /** Whether the rules themselves are shown somewhere. */
  wantRules(wants: boolean): void {
    if (wants === this.#wantsRules) return;
    this.#wantsRules = wants;
    if (wants) this.#readSoon();
  }

  /** Reads all of it now, for who is about to show or to decide. */
  async refresh(): Promise<void> {
    const api = this.#ui.link.value?.api;
    if (api === undefined) return;
    const [suggestions, rules] = await Promise.all([
      api.request('suggestions', {}),
      this.#wantsRules ? api.request('rules', {}) : undefined,
    ]);
    if (api !== this.#ui.link.value?.api) return;
    this.#suggestions = suggestions.suggestions.toSorted((a, b) => a.place.index - b.place.index);
    this.#rules = rules?.rules ?? [];
    this.#diagnostics = rules?.diagnostics ?? [];
    this.#changes.emit();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#events?.dispose();
    this.#timer?.dispose();
    this.#changes.dispose();
  }

  #follow(link: VaultLink | undefined): void {
    this.#events?.dispose();
    this.#timer?.dispose();
    this.#timer = undefined;
    [this.#suggestions, this.#rules, this.#diagnostics] = [[], [], []];
    this.#events = link === undefined ? undefined : this.#listen(link.api);
    this.#changes.emit();
    if (this.#isWanted()) this.#readSoon();
  }

  #listen(api: Api): Disposable {
    return api.onEvent((event) => {
      if (touchesRules(event) && this.#isWanted()) this.#readSoon();
    });
  }

  #isWanted(): boolean {
    const { approvals } = this.#ui.model;
    return this.#wantsRules || this.#suggestions.length > 0 || approvals.some(({ kind }) => kind === 'rule-suggestion');
  }

  #readSoon(): void {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#timer ??= this.#ui.clock.schedule(readMs, () => {
      this.#timer = undefined;
      this.#read().catch(this.#ui.onError);
    });
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    this.#isStale = false;
    try {
      await this.refresh();
    } catch (error) {
      // The owner went away; the next one is asked when it tells of a change.
      this.#ui.log.debug(`The suggestions are not known: ${String(error)}`);
    } finally {
      this.#isReading = false;
      if (this.#isStale) this.#readSoon();
    }
  }
}

/** Whether rules decided, or the file of the rules is another one. */
function touchesRules(event: RavelEvent): boolean {
  if (event.type === 'message.routed') return event.rules.length > 0;
  return event.type === 'vault.changed' && event.files.includes('routing.yaml');
}
