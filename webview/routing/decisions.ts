import { t } from '@vscode/l10n';
import { css, html, LitElement, nothing } from 'lit';
import { formatDollars } from '../../src/base/text.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { PendingRow } from '../../src/model/requests/messages.ts';
import { leadText } from '../../src/model/routingText.ts';
import { failureText } from '../failureText.ts';
import type { HostConnection } from '../host.ts';
import { icon } from '../icons.ts';
import { readableText } from '../session/readableText.ts';
import { sharedStyles } from '../styles.ts';
import { renderProblem } from '../tabs/loadingTab.ts';
import { tabStyles } from '../tabs/tabStyles.ts';
import { consultedWords, type DecisionRow, outcomeWords, resultWords, stepNames, stepWords } from './routingView.ts';

/** The messages that look for their receiver now, and those that found one or did not, the newest first. */
export class RavelDecisions extends LitElement {
  static override properties = {
    host: { attribute: false },
    pending: { attribute: false },
    routes: { attribute: false },
    problem: { state: true },
  };

  static override styles = [
    sharedStyles,
    tabStyles,
    css`
      .step {
        min-width: 8em;
      }
      .to {
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      dl {
        display: grid;
        grid-template-columns: max-content 1fr;
        gap: 0.2em 1em;
        margin: 0.2em 0 0.4em;
      }
      dt {
        color: var(--vscode-descriptionForeground);
      }
      dd {
        margin: 0;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      @media (max-width: 420px) {
        dl {
          grid-template-columns: 1fr;
        }
      }
    `,
  ];

  declare host: HostConnection;
  declare pending: readonly PendingRow[];
  /** Undefined if they are not known. */
  declare routes: readonly DecisionRow[] | undefined;
  declare protected problem: string | undefined;

  protected override render(): unknown {
    return html`${this.pending.length === 0 ? nothing : this.#renderPending()}
      <h2>${t('Decisions')}</h2>
      ${renderProblem(this.problem)} ${this.routes === undefined ? nothing : this.#renderRoutes(this.routes)}`;
  }

  #renderRoutes(routes: readonly DecisionRow[]): unknown {
    return routes.length === 0
      ? html`<p class="faint">
              ${t('No message has been routed yet. A plan sends one when its work belongs elsewhere, and you do with “Ravel: Dispatch”. What decides is tried in this order: a name, the rules, scores, a session, a person.')}
          </p>`
      : html`<ul aria-label=${t('Decisions')}>
          ${routes.map((route) => html`<li>${this.#renderRoute(route)}</li>`)}
        </ul>`;
  }

  #renderPending(): unknown {
    return html`<h2>${t('In transit')}</h2>
      <ul aria-label=${t('Messages in transit')}>
        ${this.pending.map(
          ({ message, from, state, subject, approval }) => html`<li class="line">
            <span>${icon(approval === undefined ? 'loading' : 'question', approval === undefined)}</span>
            <span class="wide">${readableText(subject)} <span class="faint">${from === undefined ? nothing : t`from ${readableText(from)}`}</span></span>
            <span>${readableText(state)}</span>
            ${
              approval === undefined
                ? nothing
                : html`<vscode-button appearance="secondary" @click=${() => this.host.open({ kind: 'approval', approval })}>${t('Choose Receiver')}</vscode-button>`
            }
            <button @click=${() => this.host.open({ kind: 'why', about: message })}>${t('Why')}</button>
          </li>`,
        )}
      </ul>`;
  }

  #renderRoute(route: DecisionRow): unknown {
    const { step, from, excerpt, facts, usd, at, outcome } = route;
    const isRouted = outcome.kind === 'routed';
    return html`<details>
      <summary class="line">
        <span class="step"><span class="badge">${stepNames[step]}</span></span>
        <span class="wide">
          ${isRouted ? nothing : html`<span class="notice">${icon('warning')}</span> `}<span class="to">${readableText(outcomeWords(route))}</span>
          <span class="faint">${t`from ${readableText(from)}`}</span><br />${readableText(excerpt)}
        </span>
        <span class="figures faint">
          ${facts.length === 0 ? nothing : html`<span>${readableText(facts.join(', '))}</span>`}
          ${usd === undefined ? nothing : html`<span>${formatDollars(usd)}</span>`}
          <span>${at.slice(0, 16).replace('T', ' ')}</span>
        </span>
      </summary>
      <div class="inset">${this.#renderDetails(route)}</div>
    </details>`;
  }

  #renderDetails(route: DecisionRow): unknown {
    const { message, step, facts, rules, candidates, scoreLead, consulted, reasoning, reason, outcome, by } = route;
    const result = resultWords(route);
    const rows: readonly (readonly [string, unknown])[] = [
      [t('Decided'), `${stepWords[step]}${by === undefined ? '' : ` (${readableText(by)})`}`],
      [t('Reasoning'), readableText(reasoning)],
      [t('Sent because'), readableText(reason)],
      [t('Facts'), facts.length === 0 ? t('none') : readableText(facts.join(', '))],
      [
        t('Rules'),
        rules.length === 0
          ? t('none matched')
          : rules.map(
              (rule) =>
                html`<button class="led" @click=${() => this.host.open({ kind: 'rule', rule })}>${readableText(rule)}</button> `,
            ),
      ],
      [
        t('Candidates'),
        candidates.length === 0
          ? 'none'
          : candidates.map(
              ({ recipient, score, lines = [] }) =>
                html`<div>${readableText(`${recipient} ${score.toFixed(2)}`)}${lines.map(
                  (one) => html`<br /><span class="faint">${readableText(`${one.in}: ${one.line}`)}</span>`,
                )}</div>`,
            ),
      ],
      ...(step === 'scores' || scoreLead === undefined
        ? []
        : [[t('Lead'), readableText(leadText(scoreLead))] as const]),
      ...consulted.map((one) => [t('Asked'), readableText(consultedWords(one))] as const),
      ...(result === undefined ? [] : [[t('At its receiver'), readableText(result)] as const]),
    ];
    return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      <div class="bar">
        <vscode-button appearance="secondary" @click=${() => this.#openMessage(message)}>${t('Open Message')}</vscode-button>
        ${
          outcome.kind === 'routed' && !outcome.to.startsWith('expert:')
            ? html`<vscode-button appearance="secondary" @click=${() => this.host.open({ kind: 'plan', plan: outcome.to })}>${t('Open Plan')}</vscode-button>`
            : nothing
        }
        <vscode-button appearance="secondary" @click=${() => this.host.open({ kind: 'why', about: message })}>${t('Why')}</vscode-button>
      </div>`;
  }

  /** A list has the beginnings of messages only. */
  #openMessage(message: Ulid): void {
    this.problem = undefined;
    this.host.api.request('routes', { message }).then(
      ({ routes: [whole] }) => this.host.open({ kind: 'text', path: `${message}.md`, text: whole?.body ?? '' }),
      (error: unknown) => {
        this.problem = failureText(error);
      },
    );
  }
}
