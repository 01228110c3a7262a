import type { LitVirtualizer } from '@lit-labs/virtualizer';
import { t } from '@vscode/l10n';
import { css, html, nothing, type PropertyValues } from 'lit';
import { toDisposable } from '../../src/base/disposable.ts';
import { counted, formatCount } from '../../src/base/text.ts';
import { draftField, subjectOf } from '../drafts.ts';
import { nextFrame } from '../frames.ts';
import { icon } from '../icons.ts';
import { readableText } from '../session/readableText.ts';
import {
  type BacklogRow,
  categoriesOf,
  groupTitles,
  type ListedTask,
  shownTaskRows,
  type TaskSection,
  type TaskView,
  viewTasks,
} from './backlogView.ts';
import { fieldValue, isFilled } from './fields.ts';
import { LoadingTab, renderProblem } from './loadingTab.ts';
import type { ReceivedMessage } from './received.ts';
import { wholeTab } from './tabStyles.ts';

interface Shown {
  readonly groups: ReadonlyMap<TaskSection, readonly TaskView[]>;
  readonly categories: readonly string[];
  readonly count: number;
  readonly received: readonly ReceivedMessage[];
}

/** The tab "Backlog": the tasks in the order of their priority, with why one cannot be started, and what waits for triage. */
export class RavelBacklog extends LoadingTab<Shown> {
  static override properties = {
    ...LoadingTab.properties,
    filter: { state: true },
    closed: { state: true },
    open: { state: true },
    isAdding: { state: true },
    addRequest: { attribute: false },
  };

  static override styles = [
    ...LoadingTab.styles,
    wholeTab,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 22em;
        padding-bottom: 0;
      }
      lit-virtualizer {
        flex: 1 1 auto;
        min-height: 12em;
        overflow-x: hidden;
      }
      .item {
        width: 100%;
      }
      .head {
        font-weight: 600;
        padding-top: 0.8em;
      }
      .form {
        display: grid;
        gap: 0.5em;
        max-width: 40em;
        margin: 0.4em 0 0.8em;
      }
    `,
  ];

  declare protected filter: string;
  declare protected closed: ReadonlySet<TaskSection>;
  /** Tasks that are shown whole. */
  declare protected open: ReadonlySet<string>;
  declare protected isAdding: boolean;
  /** Opens the form for a task whenever it grows. */
  declare addRequest: number;
  /** The row in the order of the Tab key. */
  #active = 0;
  #form: HTMLElement | null = null;
  #frame = toDisposable(() => undefined);

  constructor() {
    super();
    this.filter = '';
    this.closed = new Set(['done']);
    this.open = new Set();
    this.isAdding = false;
    this.addRequest = 0;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has('addRequest') && this.addRequest > 0) this.isAdding = true;
  }

  /** A person who opens the form continues in it. */
  protected override updated(changed: PropertyValues<this>): void {
    const form = this.renderRoot.querySelector<HTMLElement>('#new #title');
    if (form !== null && form !== this.#form) form.focus();
    this.#form = form;
    super.updated(changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#frame.dispose();
  }

  protected override forget(): void {
    super.forget();
    const { drafts } = this.host;
    this.filter = drafts.get(this.#filterKey) ?? '';
    this.isAdding = drafts.has(this.#newTask);
    this.open = new Set(drafts.idsOf('task', this.status.plan));
  }

  get #newTask(): string {
    return subjectOf('new-task', this.status.plan);
  }

  get #filterKey(): string {
    return `${subjectOf('backlog', this.status.plan)}/filter`;
  }

  protected override async load(signal: AbortSignal): Promise<Shown> {
    const { plan, counts } = this.status;
    const { api } = this.host;
    const { result } = await api.request('state', { plan, verb: 'backlog/list', args: {} }, signal);
    const { tasks } = result as { readonly tasks: readonly ListedTask[] };
    const groups = viewTasks(tasks);
    const shown = { groups, categories: categoriesOf(tasks), count: tasks.length };
    if (counts.received === 0) return { ...shown, received: [] };
    const list = await api.request('state', { plan, verb: 'received/list', args: {} }, signal);
    const { messages } = list.result as { readonly messages: readonly ReceivedMessage[] };
    return { ...shown, received: messages };
  }

  protected override renderLoaded(shown: Shown): unknown {
    const { readOnly } = this;
    const rows = shownTaskRows(shown.groups, this.closed, this.filter);
    const found = this.filter.trim() === '' ? undefined : rows.filter(({ kind }) => kind === 'task').length;
    return html`
      <div class="bar">
        <vscode-text-field id="filter" placeholder=${t('Filter tasks')} .value=${this.filter} @input=${this.#setFilter}
          ><span class="spoken">${t('Filter tasks')}</span></vscode-text-field
        >
        ${
          readOnly === undefined
            ? html`<vscode-button appearance="secondary" @click=${this.#toggleForm}>${t('Add Task')}</vscode-button>`
            : html`<span class="faint">${readOnly}</span>`
        }
        <span class="faint" role="status">
          ${found === undefined ? counted(shown.count, t('{0} task'), t('{0} tasks')) : t`${formatCount(found)} of ${counted(shown.count, t('{0} task'), t('{0} tasks'))}`}
        </span>
      </div>
      ${renderProblem(this.problem)} ${this.isAdding && readOnly === undefined ? this.#renderForm(shown) : nothing}
      ${
        shown.received.length === 0
          ? nothing
          : html`<ravel-received
              .host=${this.host}
              .status=${this.status}
              .readOnly=${readOnly}
              .messages=${shown.received}
            ></ravel-received>`
      }
      ${
        rows.length === 0
          ? html`<p class="faint">
              ${shown.count === 0 ? t('There are no tasks yet. Add one, or let triage find some.') : t('No tasks match the filter.')}
            </p>`
          : this.#renderList(rows)
      }
    `;
  }

  #renderList(rows: readonly BacklogRow[]): unknown {
    this.#active = Math.min(this.#active, rows.length - 1);
    return html`<lit-virtualizer
      scroller
      role="list"
      aria-label=${t('Tasks')}
      .items=${rows as BacklogRow[]}
      .keyFunction=${keyOf}
      .renderItem=${(row: BacklogRow, index: number) => this.#renderRow(row, index, rows.length)}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event, rows)}
      @focusin=${this.#onFocus}
    ></lit-virtualizer>`;
  }

  #renderRow(row: BacklogRow, index: number, count: number) {
    const tabIndex = index === this.#active ? '0' : '-1';
    const place = html`${row.kind === 'group' ? this.#renderHead(row, index, tabIndex) : this.#renderTask(row.task, index, tabIndex)}`;
    return html`<div class="item" role="listitem" aria-posinset=${index + 1} aria-setsize=${count}>${place}</div>`;
  }

  #renderHead(row: Extract<BacklogRow, { kind: 'group' }>, index: number, tabIndex: string): unknown {
    return html`<button
      class="line head"
      data-place=${index}
      tabindex=${tabIndex}
      aria-expanded=${row.isOpen}
      @click=${() => this.#toggleGroup(row.group)}
    >
      ${icon(row.isOpen ? 'chevron-down' : 'chevron-right')} ${groupTitles[row.group]}
      <span class="badge">${formatCount(row.count)}</span>
    </button>`;
  }

  #renderTask(task: TaskView, index: number, tabIndex: string): unknown {
    const isOpen = this.open.has(task.id);
    return html`<button
        class="line"
        data-place=${index}
        tabindex=${tabIndex}
        aria-expanded=${isOpen}
        @click=${() => this.#toggleTask(task.id)}
      >
        ${icon(isOpen ? 'chevron-down' : 'chevron-right')}
        <span class="wide">
          ${readableText(task.title)} ${task.why === undefined ? nothing : html`<span class="faint">${readableText(task.why)}</span>`}
        </span>
        <span class="badge">${readableText(task.category)}</span>
      </button>
      ${
        isOpen
          ? html`<ravel-task
              class="inset"
              .host=${this.host}
              .status=${this.status}
              .readOnly=${this.readOnly}
              .task=${task}
            ></ravel-task>`
          : nothing
      }`;
  }

  #renderForm({ categories }: Shown): unknown {
    const known = categories.slice(0, 5).join(', ');
    const keep = (name: string) => draftField(this.host.drafts, `${this.#newTask}/${name}`);
    return html`<div class="form" id="new" role="group" aria-label=${t('New task')}>
      <vscode-text-field id="title" maxlength="200" ${keep('title')}>${t('Title')}</vscode-text-field>
      <vscode-text-field
        id="category"
        placeholder=${known === '' ? t('such as feature') : t`such as ${known}`}
        ${keep('category')}
        >${t('Category')}</vscode-text-field
      >
      <vscode-text-area id="description" rows="4" resize="vertical" ${keep('description')}>${t('Description')}</vscode-text-area>
      <div class="bar">
        <vscode-button ?disabled=${this.isActing} @click=${this.#add}>${t('Add')}</vscode-button>
        <vscode-button appearance="secondary" @click=${this.#toggleForm}>${t('Cancel')}</vscode-button>
      </div>
    </div>`;
  }

  readonly #add = async (): Promise<void> => {
    const [title, category, description] = ['title', 'category', 'description'].map((id) => fieldValue(this, id));
    const args = { title, category, ...(isFilled(description) && { description }) };
    const isDone = await this.act(() => {
      if (!isFilled(title) || !isFilled(category)) throw new Error('A task has a title and a category.');
      return this.host.api.request('state', { plan: this.status.plan, verb: 'backlog/add', args });
    });
    if (isDone) this.#closeForm();
  };

  readonly #toggleForm = (): void => {
    if (this.isAdding) this.#closeForm();
    else this.isAdding = true;
  };

  #closeForm(): void {
    this.host.drafts.drop(this.#newTask);
    this.isAdding = false;
  }

  readonly #setFilter = (): void => {
    this.filter = fieldValue(this, 'filter');
    this.host.drafts.set(this.#filterKey, this.filter);
  };

  #toggleGroup(group: TaskSection): void {
    this.closed = toggled(this.closed, group);
  }

  #toggleTask(id: string): void {
    this.open = toggled(this.open, id);
  }

  readonly #onFocus = (event: FocusEvent): void => {
    const place = placeOf(event.target);
    if (place !== undefined) this.#active = place;
  };

  #onKey(event: KeyboardEvent, rows: readonly BacklogRow[]): void {
    const place = placeOf(event.target);
    if (place === undefined) {
      if (event.key === 'Escape') this.#leaveTask(event);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -rows.length, End: rows.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const row = rows[place];
    if (event.altKey && row?.kind === 'task') void this.#move(row.task, step < 0 ? 'before' : 'after');
    else this.#go(Math.max(0, Math.min(rows.length - 1, place + step)));
  }

  /** From inside a task that is open back to its row. */
  #leaveTask(event: KeyboardEvent): void {
    const item = event.target instanceof HTMLElement ? event.target.closest('.item') : null;
    item?.querySelector<HTMLElement>('[data-place]')?.focus();
  }

  #go(place: number): void {
    this.#active = place;
    this.requestUpdate();
    const list = this.renderRoot.querySelector<LitVirtualizer>('lit-virtualizer');
    list?.element(place)?.scrollIntoView({ block: 'nearest' });
    this.#focusWhenThere(place, framesToCome);
  }

  /** A row far away comes into the document only once it was scrolled to. */
  #focusWhenThere(place: number, tries: number): void {
    this.#frame.dispose();
    this.#frame = nextFrame(() => {
      const row = this.renderRoot.querySelector<HTMLElement>(`[data-place="${place}"]`);
      if (row !== null) row.focus();
      else if (tries > 0) this.#focusWhenThere(place, tries - 1);
    });
  }

  async #move({ id, above, below }: TaskView, where: 'before' | 'after'): Promise<void> {
    const target = where === 'before' ? above : below;
    if (target === undefined || this.readOnly !== undefined) return;
    const args = { id, where, target };
    await this.act(() => this.host.api.request('state', { plan: this.status.plan, verb: 'backlog/reorder', args }));
  }
}

/** About a second: on a busy machine a far row takes its time. */
const framesToCome = 60;

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

function keyOf(row: BacklogRow): string {
  return row.kind === 'group' ? t`group ${row.group}` : row.task.id;
}

function placeOf(target: EventTarget | null): number | undefined {
  const place = target instanceof HTMLElement ? target.dataset['place'] : undefined;
  return place === undefined ? undefined : Number(place);
}
