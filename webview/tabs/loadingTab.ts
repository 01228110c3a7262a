import { t } from '@vscode/l10n';
import { html, nothing, type PropertyValues } from 'lit';
import type { Disposable } from '../../src/base/disposable.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { failureAfterOpening, failureText } from '../failureText.ts';
import { sharedStyles } from '../styles.ts';
import { TabElement } from './tabElement.ts';
import { tabStyles } from './tabStyles.ts';

type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'loaded'; readonly value: T };

/**
 * A tab that shows what one or more requests answered. It loads again whenever the plan changes, one request at a time, and
 * keeps what it shows until the new answer is there, so that nothing jumps.
 */
export abstract class LoadingTab<T> extends TabElement {
  static override properties = {
    ...TabElement.properties,
    loaded: { state: true },
    problem: { state: true },
    isActing: { state: true },
  };

  static override styles = [sharedStyles, tabStyles];

  declare protected loaded: Loaded<T>;
  /** Of the last thing that a person did here. */
  declare protected problem: string | undefined;
  declare protected isActing: boolean;

  #key = '';
  #loading: AbortController | undefined;
  #mustReload = false;
  #listeners: readonly Disposable[] = [];

  constructor() {
    super();
    this.loaded = { kind: 'loading' };
    this.isActing = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#listen();
    if (this.hasUpdated) this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const listener of this.#listeners) listener.dispose();
    this.#listeners = [];
    this.#loading?.abort();
    this.#loading = undefined;
  }

  protected abstract load(signal: AbortSignal): Promise<T>;
  protected abstract renderLoaded(value: T): unknown;

  /** What it is about: if that changes, nothing of before is kept. */
  protected key(): string {
    return this.status.plan;
  }

  /** Whether what is shown may be another one after this event of the plan. */
  protected concerns(_event: RavelEvent): boolean {
    return false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('status') && !changed.has('session') && !changed.has('host')) return;
    const key = this.key();
    if (key !== this.#key) {
      this.loaded = { kind: 'loading' };
      this.problem = undefined;
      this.forget();
    }
    this.#key = key;
    if (this.#listeners.length === 0) this.#listen();
    this.reload();
  }

  /** Drops what belongs to another plan or session. */
  protected forget(): void {
    this.#loading?.abort();
    this.#loading = undefined;
  }

  /** Loads again; if a request is under way, once more after it. */
  protected reload(): void {
    this.#mustReload = this.#loading !== undefined;
    if (this.#loading === undefined) void this.#loadNow();
  }

  /** Does what a person asked for, and says below it what went wrong. Resolves with whether it was done. */
  protected async act(work: () => Promise<unknown>): Promise<boolean> {
    this.problem = undefined;
    this.isActing = true;
    try {
      await work();
      this.reload();
      return true;
    } catch (error) {
      this.problem = failureText(error);
      return false;
    } finally {
      this.isActing = false;
    }
  }

  protected override render(): unknown {
    const { loaded } = this;
    if (loaded.kind === 'loading') return html`<p class="faint" role="status">${t('Loading …')}</p>`;
    if (loaded.kind === 'loaded') return this.renderLoaded(loaded.value);
    return html`${renderProblem(loaded.problem)}
      <vscode-button appearance="secondary" @click=${() => this.reload()}>${t('Try again')}</vscode-button>`;
  }

  #listen(): void {
    this.#listeners = [
      this.host.onOpened(() => {
        this.problem = failureAfterOpening(this.problem);
        this.reload();
      }),
      this.host.api.onEvent((event) => {
        if (event.actor === this.status.plan && this.concerns(event)) this.reload();
      }),
    ];
  }

  async #loadNow(): Promise<void> {
    const loading = new AbortController();
    this.#loading = loading;
    this.#mustReload = false;
    const loaded = await this.load(loading.signal).then(
      (value): Loaded<T> => ({ kind: 'loaded', value }),
      (error: unknown): Loaded<T> => ({ kind: 'failed', problem: failureText(error) }),
    );
    // Another plan or session is looked at by now, or none.
    if (loading.signal.aborted) return;
    this.#loading = undefined;
    this.loaded = loaded;
    if (this.#mustReload) this.reload();
  }
}

/** Said at once, wherever the person is on the page. */
export function renderProblem(problem: string | undefined): unknown {
  return problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`;
}
