import { t } from '@vscode/l10n';
import { css, html, nothing } from 'lit';
import { counted, formatCount } from '../../src/base/text.ts';
import type { Cycle } from '../../src/model/history.ts';
import type { MemoryPage, MemoryRow } from '../../src/model/requests/inspect.ts';
import type { Chart } from '../charts.ts';
import { draftField, subjectOf } from '../drafts.ts';
import { icon } from '../icons.ts';
import { renderMarkdown } from '../markdown.ts';
import { readableText } from '../session/readableText.ts';
import { fieldValue } from './fields.ts';
import { chartMemory, shortCount } from './historyView.ts';
import { LoadingTab, renderProblem } from './loadingTab.ts';
import { findEntries, memorySentence } from './memoryView.ts';
import { wholeTab } from './tabStyles.ts';

interface Shown {
  readonly page: MemoryPage;
  readonly cycles: readonly Cycle[];
}

/** Cycles in the charts, the newest ones. */
const cyclesCharted = 100;

/** The tab "Memory": what the plan has learned, how it grew, and when the next dream is due. */
export class RavelMemory extends LoadingTab<Shown> {
  static override properties = {
    ...LoadingTab.properties,
    filter: { state: true },
    editing: { state: true },
    deleting: { state: true },
  };

  static override styles = [
    ...LoadingTab.styles,
    wholeTab,
    css`
      .form {
        display: grid;
        gap: 0.5em;
        max-width: 50em;
      }
    `,
  ];

  declare protected filter: string;
  /** Id of the entry. */
  declare protected editing: string | undefined;
  declare protected deleting: string | undefined;

  /** The entry that the tab began to edit by itself; from then on the person opens and closes it. */
  #withDraft: string | undefined;

  constructor() {
    super();
    this.filter = '';
  }

  protected override forget(): void {
    super.forget();
    const { drafts } = this.host;
    this.filter = drafts.get(this.#filterKey) ?? '';
    this.editing = drafts.idsOf('memory', this.status.plan)[0];
    this.#withDraft = this.editing;
    this.deleting = undefined;
  }

  get #filterKey(): string {
    return `${subjectOf('memory-page', this.status.plan)}/filter`;
  }

  #subject(id: string): string {
    return subjectOf('memory', this.status.plan, id);
  }

  protected override async load(signal: AbortSignal): Promise<Shown> {
    const { plan } = this.status;
    const { api } = this.host;
    const page = await api.request('memory', { plan }, signal);
    const { cycles } = await api.request('history', { plan, limit: cyclesCharted }, signal);
    return { page, cycles };
  }

  protected override renderLoaded({ page, cycles }: Shown): unknown {
    const found = findEntries(page.entries, this.filter);
    return html`<p>${memorySentence(page)}</p>
      ${renderGrowth(cycles, page)}
      <div class="bar">
        <vscode-text-field id="filter" placeholder=${t('Find in memory')} .value=${this.filter} @input=${this.#setFilter}
          ><span class="spoken">${t('Find in memory')}</span></vscode-text-field
        >
        <span class="faint" role="status">
          ${found.length === page.entries.length ? nothing : t`${formatCount(found.length)} of ${counted(page.entries.length, t('{0} entry'), t('{0} entries'))}`}
        </span>
        ${this.readOnly === undefined ? nothing : html`<span class="faint">${this.readOnly}</span>`}
      </div>
      ${renderProblem(this.problem)}
      ${
        page.entries.length === 0
          ? html`<p class="faint">${t('Nothing has been learned yet. The first reflect phase records what the work has shown.')}</p>`
          : nothing
      }
      <ul aria-label=${t('Entries')}>
        ${found.map((entry) => html`<li>${this.#renderEntry(entry)}</li>`)}
      </ul>`;
  }

  #renderEntry(entry: MemoryRow): unknown {
    const { id, title, words, source, claims } = entry;
    return html`<details ?open=${this.filter !== '' || this.#withDraft === id}>
      <summary class="line">
        <span class="wide">${readableText(title)}</span>
        ${source === undefined ? nothing : html`<span class="badge">${readableText(source)}</span>`}
        <span class="number faint">${counted(words, t('{0} word'), t('{0} words'))}</span>
      </summary>
      <div class="inset">
        ${this.editing === id ? this.#renderForm(entry) : this.#renderBody(entry)}
        <p class="faint">
          <code>${readableText(id)}</code>${claims.length === 0 ? nothing : html` ${t`· rests on ${readableText(claims.join(', '))}`}`}
        </p>
        ${this.readOnly === undefined && this.editing !== id ? this.#renderActions(entry) : nothing}
      </div>
    </details>`;
  }

  #renderBody({ body, isCut }: MemoryRow): unknown {
    return html`<div class="markdown">${renderMarkdown(body)}</div>
      ${
        isCut
          ? html`<p>
              <span class="notice">${icon('warning')}</span>
              ${t('This entry is very long; only its beginning is shown.')}
              <vscode-button appearance="secondary" @click=${() => this.#openFile()}>${t('Open the File')}</vscode-button>
            </p>`
          : nothing
      }`;
  }

  #renderForm({ id, title, body }: MemoryRow): unknown {
    const keep = (name: string, initial: string) =>
      draftField(this.host.drafts, `${this.#subject(id)}/${name}`, initial);
    return html`<div class="form" role="group" aria-label=${t('Edit entry')}>
      <vscode-text-field id="title" maxlength="200" ${keep('title', title)}>${t('Title')}</vscode-text-field>
      <vscode-text-area id="body" rows="10" resize="vertical" ${keep('body', body)}>${t('Text')}</vscode-text-area>
      <div class="bar">
        <vscode-button ?disabled=${this.isActing} @click=${() => this.#save(id, title, body)}>${t('Save')}</vscode-button>
        <vscode-button appearance="secondary" @click=${() => this.#leave(id)}>${t('Cancel')}</vscode-button>
      </div>
    </div>`;
  }

  #renderActions({ id, title, isCut }: MemoryRow): unknown {
    if (this.deleting === id) {
      return html`<p>${t`Delete “${readableText(title)}”? Later sessions will not know it.`}</p>
        <div class="bar">
          <vscode-button ?disabled=${this.isActing} @click=${() => this.#delete(id)}>${t('Delete')}</vscode-button>
          <vscode-button appearance="secondary" @click=${() => this.#askToDelete(undefined)}>${t('Keep')}</vscode-button>
        </div>`;
    }
    return html`<div class="bar">
      ${isCut ? nothing : html`<vscode-button appearance="secondary" @click=${() => this.#edit(id)}>${t('Edit')}</vscode-button>`}
      <vscode-button appearance="secondary" @click=${() => this.#askToDelete(id)}>${t('Delete')}</vscode-button>
    </div>`;
  }

  readonly #setFilter = (): void => {
    this.filter = fieldValue(this, 'filter');
    this.host.drafts.set(this.#filterKey, this.filter);
  };

  #edit(id: string | undefined): void {
    this.problem = undefined;
    this.editing = id;
  }

  /** Ends the form; what was typed into it was saved, or is given up. */
  #leave(id: string): void {
    this.host.drafts.drop(this.#subject(id));
    this.#edit(undefined);
  }

  #askToDelete(id: string | undefined): void {
    this.problem = undefined;
    this.deleting = id;
  }

  #openFile(): void {
    this.host.open({ kind: 'file', place: { root: 'plan', path: 'memory.yaml' } });
  }

  async #save(id: string, title: string, body: string): Promise<void> {
    const [newTitle, newBody] = [fieldValue(this, 'title'), fieldValue(this, 'body')];
    const isDone = await this.act(async () => {
      if (newTitle !== title) await this.#change('set-title', { id, title: newTitle });
      if (newBody !== body) await this.#change('set-body', { id, body: newBody });
    });
    if (isDone) this.#leave(id);
  }

  async #delete(id: string): Promise<void> {
    if (await this.act(() => this.#change('delete', { id }))) this.#askToDelete(undefined);
  }

  #change(verb: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.host.api.request('state', { plan: this.status.plan, verb: `memory/${verb}`, args });
  }
}

/** One point says nothing about growth. */
function renderGrowth(cycles: readonly Cycle[], { dreamAtWords }: MemoryPage): unknown {
  const { cycles: places, lines } = chartMemory(cycles, dreamAtWords);
  if (places.length < 2) return nothing;
  const chart: Chart = {
    ...{ kind: 'lines', title: t('Growth of the memory'), axis: t('Cycle'), places, lines },
    ...{ short: shortCount, whole: formatCount },
  };
  return html`<ravel-chart .chart=${chart}></ravel-chart>`;
}
