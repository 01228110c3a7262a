import { t } from '@vscode/l10n';
import { css, html, nothing, type PropertyValues } from 'lit';
import type { Clock } from '../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { draftField, subjectOf } from '../drafts.ts';
import { failureText } from '../failureText.ts';
import { icon } from '../icons.ts';
import { sharedStyles } from '../styles.ts';
import { TabElement } from '../tabs/tabElement.ts';
import { isVerdict, type Row, searchTextOf } from './rows.ts';
import type { SessionModel } from './sessionModel.ts';
import { SessionRows } from './sessionRows.ts';

/** A session that is played again: its events, and the rows of those that were played. */
interface Played {
  readonly events: readonly RavelEvent[];
  readonly folded: SessionRows;
  readonly count: number;
}

/** The tab "Session": what a session says and does, live or played again. */
export class RavelSession extends TabElement {
  static override properties = {
    ...TabElement.properties,
    model: { attribute: false },
    clock: { attribute: false },
    failure: { state: true },
    played: { state: true },
    filter: { state: true },
    isRefusedOnly: { state: true },
  };
  static override styles = [
    sharedStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        height: 100%;
        min-height: 0;
      }
      .tools {
        padding: 4px 16px;
      }
      .field {
        flex: 0 1 240px;
        min-width: 100px;
      }
      ravel-rows {
        flex: 1 1 auto;
      }
      .failure {
        padding: 4px 16px;
      }
    `,
  ];

  declare model: SessionModel | undefined;
  declare clock: Clock;
  declare failure: string | undefined;
  declare played: Played | undefined;
  declare filter: string;
  declare isRefusedOnly: boolean;
  readonly #searchTexts = new WeakMap<Row, string>();
  #subscription: Disposable = toDisposable(() => undefined);

  constructor() {
    super();
    this.filter = '';
    this.isRefusedOnly = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listen();
  }

  override disconnectedCallback(): void {
    this.#subscription.dispose();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('status');
    if (changed.has('status') && before?.plan !== this.status.plan)
      this.#filterBy(this.host.drafts.get(this.#filterKey) ?? '');
    if (!changed.has('model')) return;
    this.played = undefined;
    this.failure = undefined;
    this.#listen();
  }

  protected override render() {
    const rows = this.#shownRows();
    const refusedTitle = t('Show only what the gates refused or asked about');
    const isLive = this.played === undefined && this.status.running?.session === this.session;
    return html`
      <div class="row tools">
        <input
          class="field"
          type="search"
          placeholder=${t('Filter')}
          aria-label=${t('Filter the session')}
          ${draftField(this.host.drafts, this.#filterKey)}
          @input=${(event: Event) => this.#filterBy((event.target as HTMLInputElement).value)}
        />
        ${
          this.session === undefined || isLive || this.played !== undefined
            ? nothing
            : html`<button @click=${this.#replay}>${icon('play')} ${t('Replay')}</button>`
        }
        ${
          this.session === undefined
            ? nothing
            : html`<button title=${t('Open Transcript as Markdown')} @click=${this.#openTranscript}>
                ${icon('markdown')} ${t('Transcript')}
              </button>`
        }
        <button
          aria-pressed=${this.isRefusedOnly ? 'true' : 'false'}
          title=${refusedTitle}
          @click=${() => {
            this.isRefusedOnly = !this.isRefusedOnly;
          }}
        >
          ${icon('shield')} ${t('Refused')}
        </button>
        ${this.filter === '' && !this.isRefusedOnly ? nothing : html`<span class="faint" role="status">${t`${rows.length} found`}</span>`}
      </div>
      ${
        this.played === undefined
          ? nothing
          : html`<ravel-replay
              .events=${this.played.events}
              .clock=${this.clock}
              @replayed=${this.#onReplayed}
              @close=${() => {
                this.played = undefined;
              }}
            ></ravel-replay>`
      }
      ${this.failure === undefined ? nothing : html`<p class="failure bad" role="alert">${icon('error')} ${this.failure}</p>`}
      <ravel-rows
        .host=${this.host}
        .rows=${rows}
        .project=${this.status.project}
        .isLive=${isLive}
        .emptyText=${this.#emptyText()}
      ></ravel-rows>
    `;
  }

  get #filterKey(): string {
    return `${subjectOf('session', this.status.plan)}/filter`;
  }

  #filterBy(text: string): void {
    this.filter = text.trim().toLowerCase();
  }

  #listen(): void {
    this.#subscription.dispose();
    this.#subscription = this.model?.onDidChange(() => this.requestUpdate()) ?? toDisposable(() => undefined);
  }

  #shownRows(): readonly Row[] {
    const rows = this.played?.folded.rows ?? this.model?.rows ?? [];
    const wanted = this.isRefusedOnly ? rows.filter(isVerdict) : [...rows];
    return this.filter === '' ? wanted : wanted.filter((row) => this.#searchText(row).includes(this.filter));
  }

  #searchText(row: Row): string {
    const known = this.#searchTexts.get(row);
    if (known !== undefined) return known;
    const text = searchTextOf(row);
    this.#searchTexts.set(row, text);
    return text;
  }

  #emptyText(): string {
    if (this.filter !== '') return t('Nothing in this session matches.');
    if (this.isRefusedOnly) return t('Nothing in this session was refused or asked about.');
    if (this.session === undefined) return t('This plan has had no session yet. Run a phase to see one live.');
    return this.played === undefined ? t('No output yet.') : '';
  }

  readonly #openTranscript = (): void => {
    if (this.session !== undefined) this.host.open({ kind: 'transcript', session: this.session });
  };

  readonly #replay = (): void => {
    const { model } = this;
    model
      ?.events()
      .then((events) => {
        if (model === this.model) this.played = { events, folded: new SessionRows(), count: 0 };
      })
      .catch((error: unknown) => {
        this.failure = failureText(error);
      });
  };

  readonly #onReplayed = ({ detail: count }: CustomEvent<number>): void => {
    if (this.played === undefined) return;
    const { events } = this.played;
    // What was put back is folded again from the beginning.
    const continues = count >= this.played.count;
    const folded = continues ? this.played.folded : new SessionRows();
    folded.add(events.slice(continues ? this.played.count : 0, count));
    this.played = { events, folded, count };
  };
}
