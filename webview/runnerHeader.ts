import { t } from '@vscode/l10n';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Clock } from '../src/base/clock.ts';
import { defined } from '../src/base/defined.ts';
import { type Disposable, toDisposable } from '../src/base/disposable.ts';
import { describeConfinement } from '../src/model/confinement.ts';
import { type FileFault, faultFor, fileFaults } from '../src/model/fileFaults.ts';
import type { Ulid } from '../src/model/id.ts';
import { outlivesOwner } from '../src/model/lostOwner.ts';
import { describePaused } from '../src/model/pausedRun.ts';
import type { RequestResults } from '../src/model/protocol.ts';
import { withoutPlan } from '../src/model/questionText.ts';
import type { ApprovalRow } from '../src/model/requests/approvals.ts';
import type { PlanStatus } from '../src/model/requests/plans.ts';
import { resumesByItself } from '../src/model/resumesByItself.ts';
import { inWindowWords } from '../src/model/windowCommands.ts';
import { draftField, subjectOf } from './drafts.ts';
import { failureAfterOpening, failureText } from './failureText.ts';
import { planTexts, sessionTexts } from './headFacts.ts';
import type { HostConnection } from './host.ts';
import { icon } from './icons.ts';
import { renderStepper, stepperStyles } from './phaseStepper.ts';
import { noRunOptions, type ReadyTask, type RunOptions } from './runOptions.ts';
import { optionStyles, renderRunOptions } from './runOptionsForm.ts';
import { readableText } from './session/readableText.ts';
import type { SessionHeader } from './session/sessionRows.ts';
import { sharedStyles } from './styles.ts';

/** What a plan is, where it stands, and everything that can be done with it now. */
export class RavelHeader extends LitElement {
  static override properties = {
    host: { attribute: false },
    clock: { attribute: false },
    status: { attribute: false },
    session: { attribute: false },
    facts: { attribute: false },
    spending: { attribute: false },
    tasks: { attribute: false },
    questions: { attribute: false },
    news: { attribute: false },
    readOnly: { attribute: false },
    options: { state: true },
    folds: { state: true },
    failure: { state: true },
  };
  static override styles = [
    sharedStyles,
    stepperStyles,
    optionStyles,
    css`
      :host {
        padding: 10px 16px 6px;
        border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
      }
      .row {
        margin-top: 6px;
      }
      .facts {
        display: flex;
        flex-wrap: wrap;
        gap: 0 6px;
        margin-top: 4px;
      }
      .facts + .facts {
        margin-top: 0;
      }
      .facts b {
        min-width: 4.5em;
        font-weight: 600;
      }
      .facts span:not(:last-child)::after {
        content: " ·";
      }
      .title {
        display: flex;
        align-items: flex-start;
        gap: 2px;
        margin-left: -8px;
      }
      .plan {
        overflow-wrap: anywhere;
      }
      .note .field {
        flex: 1 1 160px;
        min-width: 0;
      }
      .led {
        padding: 0;
        color: var(--vscode-textLink-foreground);
        text-decoration: underline;
      }
      vscode-button .icon {
        margin-right: 2px;
      }
      @media (max-width: 420px) {
        :host {
          padding: 6px 8px 4px;
        }
      }
    `,
  ];

  declare host: HostConnection;
  declare clock: Clock;
  declare status: PlanStatus;
  /** The session that is looked at, and what is known of it. */
  declare session: Ulid | undefined;
  declare facts: SessionHeader | undefined;
  declare spending: RequestResults['spending'] | undefined;
  declare tasks: readonly ReadyTask[];
  /** The open questions. */
  declare questions: readonly ApprovalRow[];
  declare news: string | undefined;
  declare readOnly: string | undefined;
  declare options: RunOptions;
  /** What the person chose; undefined until then. */
  declare folds: boolean | undefined;
  declare failure: string | undefined;
  #tick: Disposable = toDisposable(() => undefined);
  #subscription: Disposable = toDisposable(() => undefined);
  readonly #low = window.matchMedia('(max-height: 420px)');
  readonly #onHeight = (): void => this.requestUpdate();

  constructor() {
    super();
    this.options = noRunOptions;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#subscription = this.host.onOpened(() => {
      this.failure = failureAfterOpening(this.failure);
    });
    this.#low.addEventListener('change', this.#onHeight);
  }

  override disconnectedCallback(): void {
    this.#subscription.dispose();
    this.#low.removeEventListener('change', this.#onHeight);
    this.#tick.dispose();
    super.disconnectedCallback();
  }

  /** What kept an earlier run from beginning says nothing about one that goes on, or about an answered question. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('status');
    if (before === undefined) return;
    const { running, question } = this.status;
    const isOther = running !== undefined && before.running?.session !== running.session;
    if (isOther || before.question?.approval !== question?.approval) this.failure = undefined;
  }

  protected override render() {
    const isFolded = this.#isFolded();
    return html`
      ${this.#renderTitle()} ${isFolded ? nothing : this.#renderPlace()} ${this.#renderQuestions()}
      <div class="row" role="group" aria-label=${t('Run')}>${this.#renderActions()}</div>
      ${isFolded ? nothing : this.#renderDetails()} ${this.#renderConfinement(isFolded)}
      ${this.readOnly === undefined ? nothing : html`<p class="notice">${icon('warning')} ${this.readOnly}</p>`}
      ${this.#renderTrouble()}
      <p class="faint" role="status">${this.news === undefined ? '' : readableText(this.news)}</p>
    `;
  }

  /** In a window of little height only what needs a person and what can be done stays, until they unfold the rest. */
  #isFolded(): boolean {
    return this.folds ?? this.#low.matches;
  }

  #renderTitle() {
    const isFolded = this.#isFolded();
    const words = isFolded ? t('Show Details of the Plan') : t('Hide Details of the Plan');
    const toggle = () => {
      this.folds = !isFolded;
    };
    return html`<div class="title">
      <button aria-expanded=${isFolded ? 'false' : 'true'} aria-label=${words} title=${words} @click=${toggle}>
        ${icon(isFolded ? 'chevron-right' : 'chevron-down')}
      </button>
      <h1 class="plan">${readableText(this.status.plan)}</h1>
    </div>`;
  }

  #renderPlace() {
    const { description, phase, running } = this.status;
    return html`<p class="faint">${readableText(description)}</p>
      <div class="row">${renderStepper(phase, running !== undefined)}</div>`;
  }

  #renderDetails() {
    const { running, interrupted, question } = this.status;
    const begins = running === undefined && interrupted === undefined && question === undefined;
    return html`${begins && this.readOnly === undefined ? this.#renderOptions() : nothing}
    ${running === undefined || running.manual === true ? nothing : this.#renderNote()} ${this.#renderFacts()}`;
  }

  /** The time of a session that runs is shown to the second. */
  protected override updated(): void {
    this.#tick.dispose();
    if (this.status.running === undefined) return;
    this.#tick = this.clock.schedule(1_000, () => this.requestUpdate());
  }

  /** Whether the programs of the session run in a sandbox, and how to fix it if they do not. */
  #renderConfinement(isFolded: boolean) {
    const confinement = this.status.running?.confinement;
    if (confinement === undefined || (isFolded && confinement.state === 'confined')) return nothing;
    const [tone, sign] =
      confinement.state === 'confined' ? (['faint', 'shield'] as const) : (['notice', 'warning'] as const);
    return html`<p class=${tone}>${icon(sign)} ${readableText(describeConfinement(confinement))}</p>`;
  }

  #renderActions(): TemplateResult {
    const { running, interrupted, question, phase, paused } = this.status;
    const isOff = this.readOnly !== undefined;
    if (running?.manual === true) {
      return html`${this.#button('edit', t('Open Files'), () => this.host.open({ kind: 'manual' }), isOff, true)}
        <span>${t`You have ${running.phase} open by hand.`}</span>`;
    }
    if (running !== undefined) {
      return html`${this.#button('debug-stop', t('Stop'), () => this.#stop(), isOff, true)}
        <span>${t`${running.phase} runs`}${running.task === undefined ? '' : html`: ${readableText(running.task)}`}</span>`;
    }
    if (interrupted !== undefined || question !== undefined) {
      const isAnswered = interrupted?.answered === true && question === undefined;
      return html`${this.#button(isAnswered ? 'play' : 'debug-restart', isAnswered ? t('Continue') : t('Retry'), () => this.#run('retry'), isOff, question === undefined)}
      ${this.#button('discard', t('Dismiss…'), () => this.host.open({ kind: 'dismiss' }), isOff)}
      ${this.#button('edit', t('Do It Myself'), () => this.host.open({ kind: 'manual' }), isOff)}
      ${isAnswered ? html`<span>${t`Your answer goes to the next session of ${interrupted.phase}.`}</span>` : nothing}
      ${paused === undefined ? nothing : html`<span>${t`The run continues after it: ${describePaused(paused)}.`}</span>`}`;
    }
    const isAsked = this.questions.length > 0;
    const fault = faultFor(phase, this.status.faults);
    const cannotRun = isOff || fault !== undefined;
    const isPaused = paused !== undefined;
    const lacksTask = !isPaused && fault === undefined && hasNothingToWorkOn(this.status);
    return html`${lacksTask ? this.#button('add', t('Add Task'), () => this.dispatchEvent(new Event('addtask')), isOff, !isAsked) : nothing}
    ${isPaused ? this.#button('play', t('Resume Run'), () => this.#resume(), cannotRun, !isAsked) : nothing}
    ${this.#button('play', t`Run ${phase ?? t('Phase')}`, () => this.#run('run_phase'), cannotRun, !isAsked && !lacksTask && !isPaused)}
    ${this.#button('run-all', this.options.cycles > 1 ? t`Run ${this.options.cycles} Cycles` : t('Run Cycle'), () => this.#run('run_cycle'), cannotRun)}
    ${this.#button('edit', t('Do It Myself'), () => this.host.open({ kind: 'manual' }), cannotRun)}
    ${phase === 'work' ? this.#button('terminal', t('In Terminal'), () => this.host.open({ kind: 'terminal' }), cannotRun) : nothing}
    ${fault === undefined ? nothing : html`<span>${t`${phase ?? t('The phase')} can start once the problems below are fixed.`}</span>`}
    ${isPaused ? html`<span>${t`A run is paused: ${describePaused(paused)}.`}</span>` : nothing}`;
  }

  #button(name: Parameters<typeof icon>[0], text: string, run: () => void, isOff: boolean, isFirst = false) {
    return html`<vscode-button appearance=${isFirst ? 'primary' : 'secondary'} ?disabled=${isOff} @click=${run}>
      ${icon(name)}${text}
    </vscode-button>`;
  }

  #renderOptions() {
    const { options, tasks } = this;
    const onChange = (changes: Partial<RunOptions>) => {
      this.options = { ...this.options, ...changes };
    };
    return renderRunOptions({ options, tasks: this.status.phase === 'work' ? tasks : [], onChange });
  }

  #renderNote(): TemplateResult {
    const subject = subjectOf('note', this.status.plan);
    const send = () => {
      const field = this.renderRoot.querySelector<HTMLInputElement>('.note .field');
      const text = field?.value.trim() ?? '';
      if (field === null || text === '') return;
      this.#request(async () => {
        await this.host.api.request('send', { to: this.status.plan, type: 'note', text });
        field.value = '';
        this.host.drafts.drop(subject);
      });
    };
    return html`<div class="row note" role="group" aria-label=${t('Note')}>
      <input
        class="field"
        placeholder=${t('Tell the session something; it reads it with its next step')}
        aria-label=${t('Note to the session')}
        ${draftField(this.host.drafts, `${subject}/text`)}
        ?disabled=${this.readOnly !== undefined}
        @keydown=${(event: KeyboardEvent) => (event.key === 'Enter' ? send() : undefined)}
      />
      ${this.#button('send', t('Send Note'), send, this.readOnly !== undefined)}
    </div>`;
  }

  #renderTrouble() {
    const { interrupted, faults, running } = this.status;
    const stopped = interrupted !== undefined && interrupted.answered !== true && running === undefined;
    const texts = [
      ...(this.failure === undefined ? [] : [this.failure]),
      ...(stopped ? [t`${interrupted.phase} was interrupted: ${interrupted.reason}`] : []),
    ];
    if (texts.length === 0 && faults.length === 0) return nothing;
    return html`<div role="alert">
      ${texts.map((text) => html`<p class="bad">${icon('error')} ${readableText(text)}</p>`)}
      ${fileFaults(faults).map((fault) => this.#renderFault(fault))}
    </div>`;
  }

  #renderFault({ message, help, file, line }: FileFault) {
    const open = (path: string) => () =>
      this.host.open({ kind: 'file', place: { root: 'plan', path, ...defined({ line }) } });
    return html`<p class="bad">
      ${icon('error')} ${readableText([message, help && inWindowWords(help)].filter((part) => part !== undefined).join(' '))}
      ${
        file === undefined
          ? nothing
          : html`<button class="led" @click=${open(file)}>${line === undefined ? t('Open File') : t`Open at Line ${line}`}</button>`
      }
    </p>`;
  }

  /** They come before what can be run: in a small window they would be out of sight. */
  #renderQuestions() {
    return html`${repeat(
      this.questions,
      ({ approval }) => approval,
      ({ approval, subject }) => html`<ravel-question
        .host=${this.host}
        .approval=${approval}
        .subject=${withoutPlan(subject, this.status.plan)}
        .readOnly=${this.readOnly}
        @decided=${this.#onDecided}
      ></ravel-question>`,
    )}`;
  }

  /** Each line with the name of what it is about: figures of a session and of its plan would else run into each other. */
  #renderFacts() {
    const { status, facts, spending, session } = this;
    const isRunning = status.running !== undefined && status.running.session === session;
    const startedMs = facts?.startedAt === undefined ? undefined : Date.parse(facts.startedAt);
    const runsForMs = isRunning && startedMs !== undefined ? this.clock.wallMs() - startedMs : undefined;
    const isBooked = !isRunning || facts?.ended !== undefined;
    const lines = [
      [t('Session'), sessionTexts(facts, runsForMs)],
      [t('Plan'), planTexts(status, spending, isBooked ? 0 : (facts?.usage?.costUsd ?? 0))],
    ] as const;
    return lines.map(([name, texts]) =>
      texts.length === 0
        ? nothing
        : html`<p class="faint facts"><b>${name}</b> ${texts.map((text) => html`<span>${text}</span>`)}</p>`,
    );
  }

  /** A person who has answered wants the plan to continue. */
  readonly #onDecided = ({ detail }: CustomEvent<RequestResults['decide']>): void => {
    const next = resumesByItself(detail);
    if (next === 'resume') this.#resume();
    else if (next !== undefined) this.#run(next);
  };

  #stop(): void {
    const { plan } = this.status;
    this.#request(() => this.host.api.request('stop', { plan }));
  }

  #run(name: 'run_phase' | 'run_cycle' | 'retry'): void {
    const { plan, phase } = this.status;
    const { task, cycles } = this.options;
    const run = { plan, ...(task === '' || phase !== 'work' ? {} : { task }) };
    const params = name === 'run_cycle' ? { ...run, cycles } : run;
    this.#runUntilOver(name, () => this.host.api.request(name, params));
  }

  #resume(): void {
    const { plan } = this.status;
    this.#runUntilOver('run_cycle', () => this.host.api.request('run_cycle', { plan, resume: true }));
  }

  #runUntilOver(name: 'run_phase' | 'run_cycle' | 'retry', run: () => Promise<unknown>): void {
    this.#request(() =>
      run().catch((error: unknown) => {
        if (!outlivesOwner(name, error)) throw error;
      }),
    );
  }

  #request(work: () => Promise<unknown>): void {
    this.failure = undefined;
    work().catch((error: unknown) => {
      this.failure = failureText(error);
    });
  }
}

/** Whether a work phase would find no task, so that the user has to add one first. */
function hasNothingToWorkOn({ phase, counts }: PlanStatus): boolean {
  return phase === 'work' && counts.ready === 0 && counts.inProgress === 0;
}
