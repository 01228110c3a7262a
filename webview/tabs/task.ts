import { t } from '@vscode/l10n';
import { css, html, nothing } from 'lit';
import type { Task, TaskStatus } from '../../src/model/backlog.ts';
import { outlivesOwner } from '../../src/model/lostOwner.ts';
import { taskStatuses } from '../../src/model/taskStatus.ts';
import { draftField, subjectOf } from '../drafts.ts';
import { failureText } from '../failureText.ts';
import { renderMarkdown } from '../markdown.ts';
import { readableText } from '../session/readableText.ts';
import type { TaskView } from './backlogView.ts';
import { fieldValue, isFilled } from './fields.ts';
import { LoadingTab, renderProblem } from './loadingTab.ts';

/** What a person is about to do with the task. */
type Doing = 'nothing' | 'editing' | 'blocking' | 'deleting';

const statusWords: Readonly<Record<TaskStatus, string>> = {
  not_started: t('not started'),
  in_progress: t('in progress'),
  done: t('done'),
  blocked: t('blocked'),
};

const textTitles = { description: t('Description'), results: t('Results'), handoff: 'Hand-off' } as const;

/** One task of the backlog, whole, with what a person can do about it. */
export class RavelTask extends LoadingTab<Task> {
  static override properties = { ...LoadingTab.properties, task: { attribute: false }, doing: { state: true } };

  static override styles = [
    ...LoadingTab.styles,
    css`
      :host {
        padding: 0.2em 0 0.8em;
      }
      h3 {
        margin: 0.7em 0 0.2em;
        font-size: 1em;
      }
      .form {
        display: grid;
        gap: 0.5em;
        max-width: 40em;
      }
    `,
  ];

  declare task: TaskView;
  declare protected doing: Doing;

  constructor() {
    super();
    this.doing = 'nothing';
  }

  protected override key(): string {
    return `${this.status.plan} ${this.task.id}`;
  }

  protected override forget(): void {
    super.forget();
    this.doing =
      (['editing', 'blocking'] as const).find((one) => this.host.drafts.has(this.#subject(one))) ?? 'nothing';
  }

  #subject(doing: 'editing' | 'blocking'): string {
    return `${subjectOf('task', this.status.plan, this.task.id)}/${doing}`;
  }

  protected override async load(signal: AbortSignal): Promise<Task> {
    const { plan } = this.status;
    const args = { id: this.task.id };
    const { result } = await this.host.api.request('state', { plan, verb: 'backlog/show', args }, signal);
    return result as Task;
  }

  protected override renderLoaded(whole: Task): unknown {
    const { id, dependencies, neededBy } = this.task;
    return html`
      <p class="faint">
        <code>${readableText(id)}</code>
        ${dependencies.length === 0 ? nothing : html` ${t`· depends on ${readableText(dependencies.join(', '))}`}`}
        ${neededBy.length === 0 ? nothing : html` ${t`· needed by ${readableText(neededBy.join(', '))}`}`}
      </p>
      ${this.doing === 'editing' ? this.#renderForm(whole) : this.#renderTexts(whole)} ${renderProblem(this.problem)}
      ${this.readOnly === undefined ? this.#renderActions() : nothing}
    `;
  }

  #renderTexts(whole: Task): unknown {
    return (['description', 'results', 'handoff'] as const).map((name) => {
      const text = whole[name];
      if (!isFilled(text ?? undefined)) return nothing;
      return html`<h3>${textTitles[name]}</h3>
        <div class="markdown">${renderMarkdown(text ?? '')}</div>`;
    });
  }

  #renderForm({ title, description }: Task): unknown {
    const keep = (name: string, initial: string) =>
      draftField(this.host.drafts, `${this.#subject('editing')}/${name}`, initial);
    return html`<div class="form" role="group" aria-label=${t('Edit task')}>
      <vscode-text-field id="title" maxlength="200" ${keep('title', title)}>${t('Title')}</vscode-text-field>
      <vscode-text-area id="description" rows="8" resize="vertical" ${keep('description', description ?? '')}
        >${t('Description')}</vscode-text-area
      >
      <div class="bar">
        <vscode-button ?disabled=${this.isActing} @click=${this.#save}>${t('Save')}</vscode-button>
        <vscode-button appearance="secondary" @click=${this.#leave}>${t('Cancel')}</vscode-button>
      </div>
    </div>`;
  }

  #renderActions(): unknown {
    switch (this.doing) {
      case 'editing':
        return nothing;
      case 'blocking':
        return html`<div class="bar">
          <vscode-text-field id="reason" ${draftField(this.host.drafts, `${this.#subject('blocking')}/reason`)}>${t('Why is it blocked?')}</vscode-text-field>
          <vscode-button ?disabled=${this.isActing} @click=${this.#block}>${t('Block')}</vscode-button>
          <vscode-button appearance="secondary" @click=${this.#leave}>${t('Cancel')}</vscode-button>
        </div>`;
      case 'deleting':
        return this.#renderDeletion();
      case 'nothing':
        return this.#renderButtons();
    }
  }

  #renderDeletion(): unknown {
    const { neededBy } = this.task;
    const others = neededBy.length === 0 ? '' : t` ${neededBy.join(', ')} will no longer depend on it.`;
    return html`<p>${t`Delete this task? ${readableText(others)}`}</p>
      <div class="bar">
        <vscode-button ?disabled=${this.isActing} @click=${this.#delete}>${t('Delete')}</vscode-button>
        <vscode-button appearance="secondary" @click=${() => this.#do('nothing')}>${t('Keep')}</vscode-button>
      </div>`;
  }

  #renderButtons(): unknown {
    const { above, below, status } = this.task;
    const cannotStart = this.#whyNotStarted();
    return html`<div class="bar">
        <vscode-button ?disabled=${cannotStart !== undefined} @click=${this.#start}>${t('Start Work on It')}</vscode-button>
        <vscode-dropdown aria-label=${t('Status of the task')} .value=${status} @change=${this.#setStatus}>
          ${taskStatuses.map((name) => html`<vscode-option value=${name} ?selected=${name === status}>${statusWords[name]}</vscode-option>`)}
        </vscode-dropdown>
        <vscode-button appearance="secondary" @click=${this.#why}>${t('Why Is This Here?')}</vscode-button>
        <vscode-button appearance="secondary" @click=${() => this.#do('editing')}>${t('Edit')}</vscode-button>
        <vscode-button appearance="secondary" ?disabled=${above === undefined} @click=${() => this.#move('before', above)}
          >${t('Move Up')}</vscode-button
        >
        <vscode-button appearance="secondary" ?disabled=${below === undefined} @click=${() => this.#move('after', below)}
          >${t('Move Down')}</vscode-button
        >
        <vscode-button appearance="secondary" @click=${() => this.#do('deleting')}>${t('Delete')}</vscode-button>
      </div>
      ${cannotStart === undefined ? nothing : html`<p class="faint">${readableText(cannotStart)}</p>`}`;
  }

  #whyNotStarted(): string | undefined {
    const { phase, running, waiting } = this.status;
    const { group, why } = this.task;
    if (group === 'done') return t('It is done.');
    if (group !== 'ready' && group !== 'in_progress') return why;
    if (running !== undefined) return t`It can be started when ${running.phase} has ended.`;
    if (waiting !== undefined) return t('It can be started once you have answered the question of the plan.');
    return phase === 'work'
      ? undefined
      : t`It can be started in the next work phase; the plan is now at ${phase ?? t('no phase')}.`;
  }

  #do(doing: Doing): void {
    this.problem = undefined;
    this.doing = doing;
  }

  /** Ends a form; what was typed into it was saved, or is given up. */
  readonly #leave = (): void => {
    for (const doing of ['editing', 'blocking'] as const) this.host.drafts.drop(this.#subject(doing));
    this.#do('nothing');
  };

  async #change(verb: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    const { plan } = this.status;
    const request = () =>
      this.host.api.request('state', { plan, verb: `backlog/${verb}`, args: { id: this.task.id, ...args } });
    if (await this.act(request)) this.#leave();
  }

  readonly #why = (): void => {
    this.host.open({ kind: 'why', about: `task:${this.status.plan}#${this.task.id}` });
  };

  /** Answered when the phase is over; until then the plan tells how it goes. */
  readonly #start = (): void => {
    this.problem = undefined;
    const { plan } = this.status;
    const run = this.host.api.request('run_phase', { plan, phase: 'work', task: this.task.id });
    run.catch((error: unknown) => {
      if (!outlivesOwner('run_phase', error)) this.problem = failureText(error);
    });
  };

  readonly #setStatus = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    const status = taskStatuses.find((name) => name === value);
    if (status === undefined || status === this.task.status) return;
    if (status === 'blocked') this.#do('blocking');
    else void this.#change('set-status', { status });
  };

  readonly #block = async (): Promise<void> => {
    await this.#change('set-status', { status: 'blocked', reason: fieldValue(this, 'reason') });
  };

  readonly #delete = async (): Promise<void> => {
    await this.#change('delete', { force: true });
  };

  #move(where: 'before' | 'after', target: string | undefined): void {
    if (target !== undefined) void this.#change('reorder', { where, target });
  }

  readonly #save = async (): Promise<void> => {
    const { loaded } = this;
    if (loaded.kind !== 'loaded') return;
    const [title, body] = [fieldValue(this, 'title'), fieldValue(this, 'description')];
    const { plan } = this.status;
    const { id } = this.task;
    const change = (verb: string, args: Readonly<Record<string, unknown>>) =>
      this.host.api.request('state', { plan, verb, args: { id, ...args } });
    const isDone = await this.act(async () => {
      if (title !== loaded.value.title) await change('backlog/set-title', { title });
      if (body !== (loaded.value.description ?? '')) await change('backlog/set-description', { body });
    });
    if (isDone) this.#leave();
  };
}
