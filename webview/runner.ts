import { t } from '@vscode/l10n';
import { css, html, nothing, type TemplateResult } from 'lit';
import { type Disposable, toDisposable } from '../src/base/disposable.ts';
import type { RavelEvent } from '../src/model/event.ts';
import type { Ulid } from '../src/model/id.ts';
import type { RequestResults } from '../src/model/protocol.ts';
import type { ApprovalRow } from '../src/model/requests/approvals.ts';
import type { PlanStatus } from '../src/model/requests/plans.ts';
import { isRunnerView, type RunnerTab, type RunnerView, runnerTabs, type WindowState } from '../src/model/webview.ts';
import { questionSubject } from './drafts.ts';
import { failureText } from './failureText.ts';
import { nextFrame } from './frames.ts';
import { icon } from './icons.ts';
import { PageElement } from './pageElement.ts';
import { type ReadyTask, selectableTasks } from './runOptions.ts';
import { SessionModel } from './session/sessionModel.ts';
import type { SessionHeader } from './session/sessionRows.ts';
import { changesStatus, statusLine } from './statusLine.ts';
import { sharedStyles } from './styles.ts';

/**
 * Changes of a plan that come together are one look at it, which is four requests. Longer than three batches of events
 * (`batchMs` in `pageConnection.ts`), so that what follows from one change is in it as well.
 */
const reloadMs = 150;
/** The figures of a session that runs are drawn this often: its time is shown in seconds, and no second is left out. */
const factsMs = 250;

const tabNames: Readonly<Record<RunnerTab, string>> = {
  session: t('Session'),
  given: t('Given'),
  changes: t('Changes'),
  history: t('History'),
  backlog: t('Backlog'),
  memory: t('Memory'),
  snapshots: t('Snapshots'),
};

/** The page of a plan: its header, and one of its tabs. */
export class RavelRunner extends PageElement {
  static override properties = {
    view: { state: true },
    status: { state: true },
    failure: { state: true },
    news: { state: true },
    tasks: { state: true },
    questions: { state: true },
    spending: { state: true },
    addRequest: { state: true },
  };
  static override styles = [
    sharedStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        height: 100vh;
        overflow: hidden;
      }
      ravel-header {
        flex: none;
        max-height: 60vh;
        overflow: auto;
      }
      .tabs {
        display: flex;
        flex: none;
        flex-wrap: wrap;
        padding: 0 10px;
      }
      .tabs button {
        padding: 6px 8px 5px;
        border: 0;
        border-bottom: 2px solid transparent;
        border-radius: 0;
        color: var(--vscode-panelTitle-inactiveForeground, var(--vscode-descriptionForeground));
      }
      .tabs button[aria-selected="true"] {
        color: var(--vscode-panelTitle-activeForeground, var(--vscode-foreground));
        border-bottom-color: var(--vscode-panelTitle-activeBorder, currentcolor);
      }
      .past {
        padding: 4px 16px;
        background: var(--vscode-editorWidget-background);
      }
      .content {
        flex: 1 1 0;
        min-height: 0;
        overflow: auto;
      }
      .failure {
        padding: 16px;
      }
    `,
  ];

  declare view: RunnerView | undefined;
  declare status: PlanStatus | undefined;
  declare failure: string | undefined;
  declare news: string | undefined;
  declare tasks: readonly ReadyTask[];
  declare questions: readonly ApprovalRow[];
  declare spending: RequestResults['spending'] | undefined;
  /** Counts how often a task was to be added since the person came to a tab by themselves. */
  declare addRequest: number;
  #model: SessionModel | undefined;
  #modelSubscription: Disposable = toDisposable(() => undefined);
  #reloading: Disposable | undefined;
  #facts: Disposable | undefined;
  #loadNumber = 0;

  constructor() {
    super();
    this.tasks = [];
    this.questions = [];
    this.addRequest = 0;
  }

  protected override listen(): readonly Disposable[] {
    return [
      this.host.onShow(({ view, window }) => {
        if (isRunnerView(view)) this.#show(view, window);
      }),
      this.host.onOpened((window) => {
        this.windowState = window;
        this.#model?.refresh();
        this.#reloadSoon();
      }),
      this.host.api.onEvent((event) => this.#onEvent(event)),
    ];
  }

  override disconnectedCallback(): void {
    this.#reloading?.dispose();
    this.#dropModel();
    super.disconnectedCallback();
  }

  protected override render() {
    const { view, status } = this;
    if (view === undefined || status === undefined) {
      return html`<p class="failure ${this.failure === undefined ? 'faint' : 'bad'}" role="status">
        ${this.failure ?? t('Opening the plan …')}
      </p>`;
    }
    const tab = view.tab ?? 'session';
    return html`
      <ravel-header
        .host=${this.host}
        .clock=${this.clock}
        .status=${status}
        .session=${this.#model?.session}
        .facts=${this.#model?.facts}
        .spending=${this.spending}
        .tasks=${this.tasks}
        .questions=${this.questions}
        .news=${this.news}
        .readOnly=${this.windowState.readOnly}
        @addtask=${this.#addTask}
      ></ravel-header>
      <div class="tabs" role="tablist" aria-label=${t('Views of the plan')} @keydown=${this.#onTabKey}>
        ${runnerTabs.map((name) => this.#renderTabButton(name, name === tab))}
      </div>
      ${
        view.session === undefined || view.session === latestSession(status)
          ? nothing
          : html`<p class="past row">
              <span title=${view.session}>${t('A past session:')} ${pastName(view.session, this.#model?.facts)}</span>
              <button @click=${() => this.#go({ plan: view.plan, tab })}>${t('Show the Latest')}</button>
            </p>`
      }
      ${this.failure === undefined ? nothing : html`<p class="failure bad" role="alert">${icon('error')} ${this.failure}</p>`}
      <div class="content" role="tabpanel" id="content" aria-labelledby=${`tab-${tab}`}>${this.#renderTab(tab)}</div>
    `;
  }

  #renderTabButton(name: RunnerTab, isSelected: boolean): TemplateResult {
    return html`<button
      role="tab"
      id=${`tab-${name}`}
      aria-selected=${isSelected ? 'true' : 'false'}
      aria-controls="content"
      tabindex=${isSelected ? '0' : '-1'}
      @click=${() => this.#chooseTab(name)}
    >
      ${tabNames[name]}
    </button>`;
  }

  #renderTab(tab: RunnerTab): TemplateResult {
    const { host, status, clock } = this;
    if (status === undefined) return html``;
    const { readOnly } = this.windowState;
    const session = this.#model?.session;
    switch (tab) {
      case 'session':
        return html`<ravel-session
          .host=${host}
          .status=${status}
          .session=${session}
          .readOnly=${readOnly}
          .model=${this.#model}
          .clock=${clock}
        ></ravel-session>`;
      case 'given':
        return html`<ravel-given .host=${host} .status=${status} .session=${session} .readOnly=${readOnly}></ravel-given>`;
      case 'changes':
        return html`<ravel-changes .host=${host} .status=${status} .session=${session} .readOnly=${readOnly}></ravel-changes>`;
      case 'history':
        return html`<ravel-history .host=${host} .status=${status} .session=${session} .readOnly=${readOnly}></ravel-history>`;
      case 'backlog':
        return html`<ravel-backlog
          .host=${host}
          .status=${status}
          .session=${session}
          .readOnly=${readOnly}
          .addRequest=${this.addRequest}
        ></ravel-backlog>`;
      case 'memory':
        return html`<ravel-memory .host=${host} .status=${status} .session=${session} .readOnly=${readOnly}></ravel-memory>`;
      case 'snapshots':
        return html`<ravel-snapshots .host=${host} .status=${status} .session=${session} .readOnly=${readOnly}></ravel-snapshots>`;
    }
  }

  #show(view: RunnerView, window: WindowState): void {
    if (view.plan !== this.view?.plan) {
      this.status = undefined;
      this.news = undefined;
    }
    this.view = { ...view, tab: view.tab ?? this.view?.tab ?? 'session' };
    this.windowState = window;
    this.#followSession();
    this.#reload();
  }

  #go(view: RunnerView): void {
    this.view = view;
    this.host.keepView(view);
    this.#followSession();
  }

  #goTab(tab: RunnerTab): void {
    if (this.view !== undefined) this.#go({ ...this.view, tab });
  }

  #chooseTab(tab: RunnerTab): void {
    this.addRequest = 0;
    this.#goTab(tab);
  }

  readonly #addTask = (): void => {
    this.addRequest += 1;
    this.#goTab('backlog');
  };

  readonly #onTabKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = runnerTabs.indexOf(this.view?.tab ?? 'session');
    const next = runnerTabs[(at + step + runnerTabs.length) % runnerTabs.length] ?? 'session';
    event.preventDefault();
    this.#chooseTab(next);
    this.updateComplete
      .then(() => this.renderRoot.querySelector<HTMLElement>(`#tab-${next}`)?.focus())
      // A picture that failed was told where it did; there is nothing to put the focus on.
      .catch(() => undefined);
  };

  #onEvent(event: RavelEvent): void {
    if (event.actor !== this.view?.plan) return;
    this.news = statusLine(event) ?? this.news;
    // The question is answered, so what was typed here can no longer be sent.
    if (event.type === 'approval.decided') this.host.drafts.drop(questionSubject(event.approval));
    if (changesStatus(event)) this.#reloadSoon();
  }

  #reloadSoon(): void {
    this.#reloading ??= this.clock.schedule(reloadMs, () => this.#reload());
  }

  #reload(): void {
    this.#reloading?.dispose();
    this.#reloading = undefined;
    this.#readPlan().catch((error: unknown) => {
      this.failure = failureText(error);
    });
  }

  async #readPlan(): Promise<void> {
    const { plan } = this.view ?? {};
    if (plan === undefined) return;
    const number = ++this.#loadNumber;
    const { api } = this.host;
    const [status, spending, waiting, ready] = await Promise.all([
      api.request('status', { plan }),
      api.request('spending', { days: 1 }),
      api.request('approvals', { plan }),
      // A backlog that can not be read is told as a fault of the plan.
      api.request('state', { plan, verb: 'backlog/list', args: { ready: true } }).catch(() => undefined),
    ]);
    if (number !== this.#loadNumber) return;
    this.status = status;
    this.spending = spending;
    this.questions = waiting.approvals;
    this.tasks = selectableTasks(ready?.result);
    this.failure = undefined;
    this.#followSession();
  }

  /** Looks at the session that is asked for, or else at the latest. */
  #followSession(): void {
    const session = this.view?.session ?? latestSession(this.status);
    if (session === this.#model?.session) return;
    this.#dropModel();
    if (session === undefined) return;
    const onError = (error: unknown) => {
      this.failure = failureText(error);
    };
    const model = new SessionModel({ api: this.host.api, session, clock: this.clock, nextFrame, onError });
    this.#model = model;
    this.#modelSubscription = model.onDidChange(() => {
      this.#facts ??= this.clock.schedule(factsMs, () => {
        this.#facts = undefined;
        this.requestUpdate();
      });
    });
    this.requestUpdate();
  }

  #dropModel(): void {
    this.#modelSubscription.dispose();
    this.#facts?.dispose();
    this.#facts = undefined;
    this.#model?.dispose();
    this.#model = undefined;
  }
}

/** A session as a person knows it, once enough of it is read. */
function pastName(session: Ulid, facts: SessionHeader | undefined): string {
  const { phase, startedAt } = facts ?? {};
  if (phase === undefined || startedAt === undefined) return session;
  return `${phase}, ${new Date(startedAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}`;
}

function latestSession(status: PlanStatus | undefined): Ulid | undefined {
  return status?.running?.session ?? status?.interrupted?.session ?? status?.lastEnd?.session;
}
