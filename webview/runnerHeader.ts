import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Clock } from '../src/base/clock.ts';
import { type Disposable, toDisposable } from '../src/base/disposable.ts';
import { formatBytes, formatDollars, formatDuration, plural } from '../src/base/text.ts';
import { describeConfinement } from '../src/model/confinement.ts';
import { formatUsage } from '../src/model/eventWords.ts';
import type { RequestResults } from '../src/model/protocol.ts';
import type { ApprovalRow } from '../src/model/requests/approvals.ts';
import type { PlanStatus } from '../src/model/requests/plans.ts';
import { failureText } from './failureText.ts';
import type { HostConnection } from './host.ts';
import { icon } from './icons.ts';
import { renderStepper, stepperStyles } from './phaseStepper.ts';
import { noRunOptions, type ReadyTask, type RunOptions } from './runOptions.ts';
import { plainText } from './session/plainText.ts';
import type { SessionFacts } from './session/sessionRows.ts';
import { sharedStyles } from './styles.ts';

/** What a plan is, where it stands, and everything that can be done with it now. */
export class RavelHeader extends LitElement {
  static override properties = {
    host: { attribute: false },
    clock: { attribute: false },
    status: { attribute: false },
    facts: { attribute: false },
    spending: { attribute: false },
    tasks: { attribute: false },
    questions: { attribute: false },
    news: { attribute: false },
    readOnly: { attribute: false },
    options: { state: true },
    failure: { state: true },
  };
  static override styles = [
    sharedStyles,
    stepperStyles,
    css`
      :host {
        padding: 10px 16px 6px;
        border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
      }
      .row {
        margin-top: 6px;
      }
      .facts {
        gap: 0 6px;
      }
      .facts span:not(:last-child)::after {
        content: " ·";
      }
      .plan {
        overflow-wrap: anywhere;
      }
      .note .field {
        flex: 1 1 160px;
        min-width: 0;
      }
      details {
        margin-top: 6px;
      }
      summary {
        cursor: pointer;
        width: max-content;
      }
      .options {
        align-items: end;
      }
      .options label {
        display: grid;
        gap: 2px;
      }
      .options vscode-dropdown {
        min-width: 120px;
        max-width: 100%;
      }
      .options input {
        width: 5em;
        height: 26px;
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
  declare facts: SessionFacts | undefined;
  declare spending: RequestResults['spending'] | undefined;
  declare tasks: readonly ReadyTask[];
  /** What waits for a person. */
  declare questions: readonly ApprovalRow[];
  declare news: string | undefined;
  declare readOnly: string | undefined;
  declare options: RunOptions;
  declare failure: string | undefined;
  #tick: Disposable = toDisposable(() => undefined);

  constructor() {
    super();
    this.options = noRunOptions;
  }

  override disconnectedCallback(): void {
    this.#tick.dispose();
    super.disconnectedCallback();
  }

  protected override render() {
    const { status } = this;
    return html`
      <h1 class="plan">${plainText(status.plan)}</h1>
      <p class="faint">${plainText(status.description)}</p>
      <div class="row">${renderStepper(status.phase, status.running !== undefined)}</div>
      ${this.#renderQuestions()}
      <div class="row" role="group" aria-label="Run">${this.#renderActions()}</div>
      ${status.running === undefined && this.readOnly === undefined ? this.#renderOptions() : nothing}
      ${status.running === undefined || status.running.byHand === true ? nothing : this.#renderNote()}
      <p class="row faint facts">${this.#factTexts().map((text) => html`<span>${text}</span>`)}</p>
      ${this.#renderConfinement()}
      ${this.readOnly === undefined ? nothing : html`<p class="notice">${icon('warning')} ${this.readOnly}</p>`}
      ${this.#renderTrouble()}
      <p class="faint" role="status">${this.news === undefined ? '' : plainText(this.news)}</p>
    `;
  }

  /** The time of a session that runs is shown to the second. */
  protected override updated(): void {
    this.#tick.dispose();
    if (this.status.running === undefined) return;
    this.#tick = this.clock.schedule(1_000, () => this.requestUpdate());
  }

  /** Whether what the session runs is in a sandbox, and what mends it where it is not. */
  #renderConfinement() {
    const confinement = this.status.running?.confinement;
    if (confinement === undefined) return nothing;
    const [tone, sign] =
      confinement.state === 'confined' ? (['faint', 'shield'] as const) : (['notice', 'warning'] as const);
    return html`<p class=${tone}>${icon(sign)} ${plainText(describeConfinement(confinement))}</p>`;
  }

  #renderActions(): TemplateResult {
    const { running, interrupted, phase } = this.status;
    const isOff = this.readOnly !== undefined;
    if (running?.byHand === true) {
      return html`${this.#button('edit', 'Open Files', () => this.host.open({ kind: 'byHand' }), isOff, true)}
        <span>You have ${running.phase} open by hand.</span>`;
    }
    if (running !== undefined) {
      return html`${this.#button('debug-stop', 'Stop', () => this.#do('stop'), isOff, true)}
        <span>${running.phase} runs${running.task === undefined ? '' : html`: ${plainText(running.task)}`}</span>`;
    }
    if (interrupted !== undefined) {
      return html`${this.#button('debug-restart', 'Retry', () => this.#do('retry'), isOff, true)}
      ${this.#button('discard', 'Dismiss', () => this.#do('dismiss'), isOff)}
      ${this.#button('edit', 'By Hand', () => this.host.open({ kind: 'byHand' }), isOff)}`;
    }
    return html`${this.#button('play', `Run ${phase ?? 'Phase'}`, () => this.#do('run_phase'), isOff, this.questions.length === 0)}
    ${this.#button('run-all', this.options.cycles > 1 ? `Run ${this.options.cycles} Cycles` : 'Run Cycle', () => this.#do('run_cycle'), isOff)}
    ${this.#button('edit', 'By Hand', () => this.host.open({ kind: 'byHand' }), isOff)}
    ${phase === 'work' ? this.#button('terminal', 'In Terminal', () => this.host.open({ kind: 'terminal' }), isOff) : nothing}`;
  }

  #button(name: Parameters<typeof icon>[0], text: string, run: () => void, isOff: boolean, isFirst = false) {
    return html`<vscode-button appearance=${isFirst ? 'primary' : 'secondary'} ?disabled=${isOff} @click=${run}>
      ${icon(name)}${text}
    </vscode-button>`;
  }

  #renderOptions(): TemplateResult {
    const { task, cycles } = this.options;
    const change = (changes: Partial<RunOptions>) => {
      this.options = { ...this.options, ...changes };
    };
    const chosen = (event: Event) => (event.target as HTMLInputElement).value;
    return html`<details>
      <summary>Options</summary>
      <div class="row options">
        ${
          this.status.phase === 'work' && this.tasks.length > 0
            ? html`<label
                >Task
                <vscode-dropdown aria-label="Task" @change=${(event: Event) => change({ task: chosen(event) })}>
                  <vscode-option value="" ?selected=${task === ''}>The best ready one</vscode-option>
                  ${this.tasks.map(
                    ({ id, title }) =>
                      html`<vscode-option value=${id} ?selected=${id === task}>${plainText(title)}</vscode-option>`,
                  )}
                </vscode-dropdown></label
              >`
            : nothing
        }
        <label
          >Cycles
          <input
            class="field"
            type="number"
            min="1"
            max="100"
            .value=${String(cycles)}
            @change=${(event: Event) => change({ cycles: Math.max(1, Math.floor(Number(chosen(event))) || 1) })}
        /></label>
      </div>
    </details>`;
  }

  #renderNote(): TemplateResult {
    const send = () => {
      const field = this.renderRoot.querySelector<HTMLInputElement>('.note .field');
      const text = field?.value.trim() ?? '';
      if (field === null || text === '') return;
      this.#request(async () => {
        await this.host.api.request('send', { to: this.status.plan, type: 'note', text });
        field.value = '';
      });
    };
    return html`<div class="row note" role="group" aria-label="Note">
      <input
        class="field"
        placeholder="Tell the session something; it reads it with its next step"
        aria-label="Note to the session"
        ?disabled=${this.readOnly !== undefined}
        @keydown=${(event: KeyboardEvent) => (event.key === 'Enter' ? send() : undefined)}
      />
      ${this.#button('send', 'Send Note', send, this.readOnly !== undefined)}
    </div>`;
  }

  #renderTrouble() {
    const { interrupted, faults, running } = this.status;
    const texts = [
      ...(this.failure === undefined ? [] : [this.failure]),
      ...(interrupted === undefined || running !== undefined
        ? []
        : [`${interrupted.phase} was interrupted: ${interrupted.reason}`]),
      ...faults.map((fault) => [fault.message, fault.help].filter((part) => part !== undefined).join(' ')),
    ];
    return html`${
      texts.length === 0
        ? nothing
        : html`<div role="alert">${texts.map((text) => html`<p class="bad">${icon('error')} ${plainText(text)}</p>`)}</div>`
    }`;
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
      ></ravel-question>`,
    )}`;
  }

  #factTexts(): string[] {
    const { status, facts, spending } = this;
    const { counts } = status;
    const startedMs = facts?.startedAt === undefined ? undefined : Date.parse(facts.startedAt);
    const elapsedMs =
      facts?.ended?.durationMs ??
      (startedMs === undefined || status.running === undefined ? undefined : this.clock.wallMs() - startedMs);
    return [
      ...(facts?.model === undefined ? [] : [facts.model]),
      ...(facts?.givenBytes === undefined ? [] : [`given ${formatBytes(facts.givenBytes)}`]),
      ...(elapsedMs === undefined ? [] : [formatDuration(elapsedMs)]),
      ...(facts?.usage === undefined ? [] : [formatUsage(facts.usage)]),
      ...(facts === undefined || facts.refusals === 0 ? [] : [`refused ${plural(facts.refusals, 'time')}`]),
      `${counts.ready} ready, ${counts.blocked} blocked, ${counts.done} done`,
      ...(spending === undefined ? [] : [budgetText(spending, status.plan)]),
    ];
  }

  #do(name: 'run_phase' | 'run_cycle' | 'retry' | 'stop' | 'dismiss'): void {
    const { plan } = this.status;
    const { task, cycles } = this.options;
    const run = {
      plan,
      ...(task === '' || this.status.phase !== 'work' ? {} : { task }),
    };
    const { api } = this.host;
    this.#request(async () => {
      if (name === 'run_cycle') await api.request(name, { ...run, ...(cycles > 1 ? { cycles } : {}) });
      else if (name === 'stop' || name === 'dismiss') await api.request(name, { plan });
      else await api.request(name, run);
    });
  }

  #request(work: () => Promise<void>): void {
    this.failure = undefined;
    work().catch((error: unknown) => {
      this.failure = failureText(error);
    });
  }
}

/** A question without the plan that asks it, on whose page it stands. */
function withoutPlan(subject: string, plan: string): string {
  const before = ` of ${plan}: `;
  const at = subject.indexOf(before);
  return at < 0 ? subject : subject.slice(at + before.length);
}

/** What was spent today, of what may be: of the plan where it has a limit, else of the vault. */
function budgetText(spending: RequestResults['spending'], plan: string): string {
  const today = spending.days.at(-1);
  const ofPlan = today?.plans.find((one) => one.plan === plan)?.usd ?? 0;
  const limit = spending.planUsdPerDay;
  if (limit > 0) return `${formatDollars(ofPlan)} of ${formatDollars(limit)} today`;
  if (spending.vaultUsdPerDay === 0) return `${formatDollars(ofPlan)} today`;
  return `${formatDollars(today?.usd ?? 0)} of ${formatDollars(spending.vaultUsdPerDay)} today in the vault`;
}
