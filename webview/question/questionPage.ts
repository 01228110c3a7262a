import { t } from '@vscode/l10n';
import { css, html, nothing } from 'lit';
import type { Disposable } from '../../src/base/disposable.ts';
import { counted, formatCount } from '../../src/base/text.ts';
import type { QualifiedId, Ulid } from '../../src/model/id.ts';
import { isLostOwner, outlivesOwner } from '../../src/model/lostOwner.ts';
import type { NewPlans } from '../../src/model/planProposal.ts';
import type { RequestResults } from '../../src/model/protocol.ts';
import { withoutPlan } from '../../src/model/questionText.ts';
import type { ApprovalPage, ApprovalRow } from '../../src/model/requests/approvals.ts';
import { resumesByItself } from '../../src/model/resumesByItself.ts';
import { isQuestionView, type QuestionView } from '../../src/model/webview.ts';
import { failureText } from '../failureText.ts';
import { icon } from '../icons.ts';
import { PageElement } from '../pageElement.ts';
import { readableText } from '../session/readableText.ts';
import { sharedStyles } from '../styles.ts';
import { renderProblem } from '../tabs/loadingTab.ts';
import { tabStyles } from '../tabs/tabStyles.ts';

/** Kinds whose two sides can stand next to each other. */
const withSides: readonly ApprovalRow['kind'][] = ['merge-conflict', 'unattributed-change', 'contradicting-entries'];

type Decided = RequestResults['decide'];

/** A question as a page of its own: what is asked, every answer by its name, what became of it, and the next question. */
export class RavelQuestionPage extends PageElement {
  static override properties = {
    view: { state: true },
    open: { state: true },
    row: { state: true },
    decided: { state: true },
    proposed: { state: true },
    edited: { state: true },
    problem: { state: true },
  };

  static override styles = [
    sharedStyles,
    tabStyles,
    css`
      :host {
        height: 100vh;
        overflow: auto;
        padding: 0.8em 1em 2em;
      }
      .column {
        max-width: 60em;
      }
    `,
  ];

  declare protected view: QuestionView | undefined;
  /** All open questions, the oldest first; undefined until they are read. */
  declare protected open: readonly ApprovalRow[] | undefined;
  /** The question of this page as it was last seen among the open ones. */
  declare protected row: ApprovalRow | undefined;
  declare protected decided: Decided | undefined;
  /** What the question proposes, if that is plans. */
  declare protected proposed: NewPlans | undefined;
  declare protected edited: string | undefined;
  declare protected problem: string | undefined;
  #readNumber = 0;

  protected override listen(): readonly Disposable[] {
    return [
      this.host.onShow(({ view, window }) => {
        if (!isQuestionView(view)) return;
        this.windowState = window;
        this.#show(view);
      }),
      this.host.onOpened((window) => {
        this.windowState = window;
        this.#read();
      }),
      this.host.api.onEvent(({ type }) => {
        if (type.startsWith('approval.')) this.#read();
      }),
    ];
  }

  protected override render(): unknown {
    const { view, row, open, problem } = this;
    if (view === undefined || open === undefined) {
      return html`<h1>${t('Question')}</h1>
        ${problem === undefined ? html`<p class="faint" role="status">${t('Loading …')}</p>` : renderProblem(problem)}`;
    }
    const { approval } = view;
    const isOpen = open.some((one) => one.approval === approval);
    return html`<div class="column">
      <h1>${this.#heading()}</h1>
      ${row === undefined ? nothing : html`<p class="faint">${t`Asked ${askedAt(row)}`}</p>`}
      <ravel-question
        .host=${this.host}
        .approval=${approval}
        .subject=${row === undefined ? '' : withoutPlan(row.subject, row.plan)}
        .readOnly=${this.windowState.readOnly}
        .isClosed=${!isOpen}
        .edited=${this.edited}
        .isShownBelow=${this.proposed !== undefined}
        @asked=${({ detail }: CustomEvent<ApprovalPage>) => this.#take(detail)}
        @decided=${({ detail }: CustomEvent<Decided>) => this.#follow(detail)}
        >${this.decided === undefined && isOpen ? this.#renderProposal(approval) : nothing}</ravel-question
      >
      ${this.#renderNext()} ${renderProblem(problem)}
      <div class="bar">${this.#renderLooks()}</div>
      ${this.#renderOthers(open.filter((one) => one.approval !== approval))}
    </div>`;
  }

  #heading(): unknown {
    const { row, proposed } = this;
    if (proposed !== undefined) return html`${t`Proposed for ${readableText(proposed.under)}`}`;
    return row?.plan === undefined ? t('Question from the vault') : html`${t`Question from ${readableText(row.plan)}`}`;
  }

  #renderProposal(approval: Ulid): unknown {
    const { proposed } = this;
    if (proposed === undefined) return nothing;
    return html`<ravel-proposal
      .host=${this.host}
      .approval=${approval}
      .proposed=${proposed}
      .readOnly=${this.windowState.readOnly}
      @edited=${({ detail }: CustomEvent<string | null>) => {
        this.edited = detail ?? undefined;
      }}
    ></ravel-proposal>`;
  }

  /** A plan that does not continue by itself continues with a click. */
  #renderNext(): unknown {
    const { decided } = this;
    const { plan, next } = decided ?? {};
    if (decided === undefined || plan === undefined || next === undefined) return nothing;
    if (resumesByItself(decided) !== undefined)
      return html`<p role="status">${icon('sync')} ${t`${readableText(plan)} continues.`}</p>`;
    const [words, request] =
      next === 'run' ? ([t('Run Phase'), 'run_phase'] as const) : ([t('Retry Phase'), 'retry'] as const);
    return html`<div class="bar">
      <vscode-button ?disabled=${this.windowState.readOnly !== undefined} @click=${() => this.#continue(request, plan)}>
        ${words}
      </vscode-button>
    </div>`;
  }

  #renderLooks(): unknown {
    const { row, host } = this;
    if (row === undefined) return nothing;
    const { approval, plan, kind } = row;
    const isOpen = this.open?.some((one) => one.approval === approval) === true;
    const button = (words: string, click: () => void) =>
      html`<vscode-button appearance="secondary" @click=${click}>${words}</vscode-button>`;
    return html`${plan === undefined ? nothing : button(t('Open Plan'), () => host.open({ kind: 'plan', plan }))}
    ${
      isOpen && withSides.includes(kind)
        ? button(t('Compare Both Sides'), () => host.open({ kind: 'answer', approval, as: 'sides' }))
        : nothing
    }
    ${
      isOpen && kind === 'learned-statement'
        ? button(t('Compare with Nearest Entry'), () => host.open({ kind: 'answer', approval, as: 'nearest' }))
        : nothing
    }
    ${isOpen ? button(t('Open as Text'), () => host.open({ kind: 'answer', approval, as: 'document' })) : nothing}`;
  }

  #renderOthers(others: readonly ApprovalRow[]): unknown {
    const [next] = others;
    if (next === undefined)
      return this.decided === undefined ? nothing : html`<p class="faint">${t('No other question waits for you.')}</p>`;
    return html`<h2>${counted(others.length, t('{0} other question waits for you'), t('{0} other questions wait for you'))}</h2>
      <ul>
        ${others.slice(0, othersShown).map(
          (one) => html`<li>
            <button class="line" @click=${() => this.#go(one)}>
              <span class="wide">${readableText(withoutPlan(one.subject, one.plan))}<br /><span class="faint">${readableText(one.plan ?? t('the vault'))}, ${askedAt(one)}</span></span>
            </button>
          </li>`,
        )}
      </ul>
      ${others.length > othersShown ? html`<p class="faint">${t`${formatCount(others.length - othersShown)} more in the Inbox.`}</p>` : nothing}`;
  }

  #go({ approval, kind }: ApprovalRow): void {
    // A rule is looked at where it would stand, which only the editor can show.
    if (kind === 'rule-suggestion') {
      this.host.open({ kind: 'approval', approval });
      return;
    }
    const view: QuestionView = { page: 'question', approval };
    this.host.keepView(view);
    this.#show(view);
  }

  #show(view: QuestionView): void {
    if (view.approval !== this.view?.approval) {
      [this.row, this.decided, this.problem] = [undefined, undefined, undefined];
      [this.proposed, this.edited] = [undefined, undefined];
    }
    this.view = view;
    this.#read();
  }

  #read(): void {
    const number = ++this.#readNumber;
    this.host.api.request('approvals', {}).then(
      ({ approvals }) => {
        if (number !== this.#readNumber) return;
        this.open = approvals;
        const row = approvals.find(({ approval }) => approval === this.view?.approval);
        this.row = row ?? this.row;
      },
      (error: unknown) => {
        if (!isLostOwner(error)) this.problem = failureText(error);
      },
    );
  }

  /** What the question proposes, as its card has read it. */
  #take({ kind, details }: ApprovalPage): void {
    // The owner has checked it when it was proposed. What a person makes of it stays while the card reads it again.
    if (kind === 'new-plans') this.proposed ??= details as NewPlans;
  }

  /** A person who has answered wants the plan to continue. */
  #follow(decided: Decided): void {
    this.decided = decided;
    const { approval, decision } = decided;
    // A session looks at the project again, now with the answer, and its proposal opens by itself.
    if (this.row?.kind === 'goal-question' && decision === 'accept')
      this.host.open({ kind: 'answer', approval, as: 'proposal' });
    const next = resumesByItself(decided);
    if (next !== undefined && decided.plan !== undefined) this.#continue(next, decided.plan);
  }

  #continue(next: 'run_phase' | 'retry' | 'resume', plan: QualifiedId): void {
    this.problem = undefined;
    const { api } = this.host;
    const name = next === 'resume' ? 'run_cycle' : next;
    const run = name === 'run_cycle' ? api.request(name, { plan, resume: true }) : api.request(name, { plan });
    run.catch((error: unknown) => {
      if (!outlivesOwner(name, error)) this.problem = failureText(error);
    });
  }
}

/** The others are a reminder; the Inbox has all of them. */
const othersShown = 10;

function askedAt({ createdAt }: ApprovalRow): string {
  return new Date(createdAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
