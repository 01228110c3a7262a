import { t } from '@vscode/l10n';
import { css, html, nothing } from 'lit';
import type { Disposable } from '../../src/base/disposable.ts';
import { counted } from '../../src/base/text.ts';
import type { RequestResults } from '../../src/model/protocol.ts';
import type { MessageResults } from '../../src/model/requests/messages.ts';
import type { RoutingResults, SuggestionRow } from '../../src/model/requests/routing.ts';
import { ruleSentence } from '../../src/model/ruleText.ts';
import { isRoutingView, type RoutingView } from '../../src/model/webview.ts';
import type { Chart } from '../charts.ts';
import { failureText } from '../failureText.ts';
import { icon } from '../icons.ts';
import { PageElement } from '../pageElement.ts';
import { readableText } from '../session/readableText.ts';
import { sharedStyles } from '../styles.ts';
import { renderProblem } from '../tabs/loadingTab.ts';
import { tabStyles } from '../tabs/tabStyles.ts';
import { costChart, groupSuggestions, shareChart, shareSentence, stepChart } from './routingView.ts';

/** What changes together is one look at it. Twice as long as for a plan: here the events of all plans come together. */
const reloadMs = 300;
const routesShown = 50;

/** What one request answered: if it failed, what it answered before and what went wrong. */
interface Part<Value> {
  readonly value: Value | undefined;
  readonly problem: string | undefined;
}

interface Shown {
  readonly suggestions: Part<RequestResults['suggestions']>;
  readonly share: Part<RequestResults['routing_share']>;
  readonly routes: Part<RoutingResults['routes']>;
  readonly pending: Part<MessageResults['routing']>;
}

/** The page about how messages find their way: what is suggested, how much of it is free, and what was decided. */
export class RavelRouting extends PageElement {
  static override properties = {
    shown: { state: true },
    view: { state: true },
    problem: { state: true },
    status: { state: true },
    isProposing: { state: true },
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
      .sections {
        max-width: 90em;
      }
      .review {
        display: grid;
        grid-template-columns: minmax(12em, 20em) minmax(0, 1fr);
        gap: 1em;
        align-items: start;
      }
      .review button.line[aria-current="true"] {
        background: var(--vscode-list-inactiveSelectionBackground);
        color: var(--vscode-list-inactiveSelectionForeground, inherit);
        outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
      }
      /* No faint colour of a theme is made for the background of a selected row. */
      .review button.line[aria-current="true"] .faint {
        color: inherit;
      }
      .group + .group {
        margin-top: 0.6em;
        padding-top: 0.6em;
        border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
      }
      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 20em), 1fr));
        gap: 0 2em;
      }
      @media (max-width: 640px) {
        .review {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  declare protected shown: Shown | undefined;
  declare protected view: RoutingView;
  declare protected problem: string | undefined;
  declare protected status: string;
  declare protected isProposing: boolean;
  #timer: Disposable | undefined;
  #loadNumber = 0;

  constructor() {
    super();
    this.view = { page: 'routing' };
    this.status = '';
    this.isProposing = false;
  }

  protected override listen(): readonly Disposable[] {
    return [
      this.host.onShow(({ view, window }) => {
        if (!isRoutingView(view)) return;
        this.view = view;
        this.windowState = window;
        this.#reload();
      }),
      this.host.onOpened((window) => {
        this.windowState = window;
        this.#reloadSoon();
      }),
      this.host.api.onEvent(() => this.#reloadSoon()),
    ];
  }

  override disconnectedCallback(): void {
    this.#timer?.dispose();
    super.disconnectedCallback();
  }

  protected override render(): unknown {
    const { shown } = this;
    if (shown === undefined) {
      return html`<h1>${t('Routing')}</h1>${renderProblem(this.problem)}
        ${this.problem === undefined ? html`<p class="faint" role="status">${t('Loading …')}</p>` : nothing}`;
    }
    const { share, routes, pending, suggestions } = shown;
    const days = share.value?.days ?? [];
    const rows = suggestions.value?.suggestions ?? [];
    return html`<div class="sections">
      <h1>${t('Routing')}</h1>
      ${renderProblem(share.problem)}
      ${share.value === undefined ? nothing : html`<p>${shareSentence(days)}</p>`}
      <div class="bar">
        <vscode-button appearance="secondary" @click=${() => this.host.open({ kind: 'file', place: { root: 'vault', path: 'routing.yaml' } })}>${t('Open routing.yaml')}</vscode-button>
        <vscode-button appearance="secondary" ?disabled=${this.isProposing || this.windowState.readOnly !== undefined} @click=${() => this.#propose()}>
          ${t('Look for Rules')}
        </vscode-button>
        <span role="status">${this.status}</span>
      </div>
      ${renderProblem(this.problem)}
      <h2>${t('Suggested rules')}${rows.length === 0 ? nothing : html` <span class="badge">${rows.length}</span>`}</h2>
      ${renderProblem(suggestions.problem)}
      ${suggestions.value === undefined ? nothing : rows.length === 0 ? renderNone() : this.#renderReview(rows)}
      ${renderCharts(days)} ${renderProblem(pending.problem)} ${renderProblem(routes.problem)}
      <ravel-decisions .host=${this.host} .pending=${pending.value?.pending ?? []} .routes=${routes.value?.routes}></ravel-decisions>
      ${routes.value?.next === undefined ? nothing : html`<p class="faint">${t('Older decisions:')} <code>ravel route</code>.</p>`}
    </div>`;
  }

  #renderReview(suggestions: readonly SuggestionRow[]): unknown {
    const row = suggestions.find(({ approval }) => approval === this.view.suggestion) ?? suggestions[0];
    return html`<div class="review">
      <nav aria-label=${t('Suggested rules')}>
        ${groupSuggestions(suggestions).map(
          (group) => html`<div class="group">
            ${group.length === 1 ? nothing : html`<p class="faint">${t`${counted(group.length, t('{0} rule'), t('{0} rules'))} that are nearly the same`}</p>`}
            <ul>
              ${group.map((one) => html`<li>${this.#renderEntry(one, one === row)}</li>`)}
            </ul>
          </div>`,
        )}
      </nav>
      <ravel-suggestion
        .host=${this.host}
        .row=${row}
        .readOnly=${this.windowState.readOnly}
        @decided=${(event: CustomEvent<string>) => {
          this.status = event.detail;
          this.#reload();
        }}
        @refused=${() => this.#reloadSoon()}
      ></ravel-suggestion>
    </div>`;
  }

  #renderEntry({ approval, suggestion, backTest, objections }: SuggestionRow, isCurrent: boolean): unknown {
    const { matched, agreed } = backTest;
    return html`<button class="line" aria-current=${isCurrent ? 'true' : 'false'} @click=${() => this.#go(approval)}>
      ${objections.length === 0 ? nothing : html`<span class="notice" title=${t('It has objections')}>${icon('warning')}</span>`}
      <span class="wide">${readableText(ruleSentence(suggestion.rule))}<br /><span class="faint">${t`agreed ${agreed} of ${matched}`}</span></span>
    </button>`;
  }

  #go(suggestion: string): void {
    this.view = { page: 'routing', suggestion };
    this.host.keepView(this.view);
  }

  #propose(): void {
    this.isProposing = true;
    this.status = t('Looking through the history …');
    this.host.api
      .request('propose_rules', {})
      .then(
        ({ suggested, checked }) => {
          const found =
            suggested.length === 0
              ? t('found no new rule')
              : t`suggests ${counted(suggested.length, t('{0} rule'), t('{0} rules'))}`;
          this.status = t`Ravel looked through ${counted(checked, t('{0} decision'), t('{0} decisions'))} and ${found}.`;
          this.#reload();
        },
        (error: unknown) => {
          this.status = '';
          this.problem = failureText(error);
        },
      )
      .finally(() => {
        this.isProposing = false;
      });
  }

  #reloadSoon(): void {
    this.#timer ??= this.clock.schedule(reloadMs, () => this.#reload());
  }

  #reload(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#read().catch((error: unknown) => {
      this.problem = failureText(error);
    });
  }

  async #read(): Promise<void> {
    const number = ++this.#loadNumber;
    const { api } = this.host;
    const [suggestions, share, routes, pending] = await Promise.allSettled([
      api.request('suggestions', {}),
      api.request('routing_share', { days: 90 }),
      api.request('routes', { limit: routesShown }),
      api.request('routing', {}),
    ]);
    if (number !== this.#loadNumber) return;
    const { shown } = this;
    this.shown = {
      suggestions: toPart(suggestions, shown?.suggestions),
      share: toPart(share, shown?.share),
      routes: toPart(routes, shown?.routes),
      pending: toPart(pending, shown?.pending),
    };
    this.problem = undefined;
  }
}

function toPart<Value>(answer: PromiseSettledResult<Value>, before: Part<Value> | undefined): Part<Value> {
  if (answer.status === 'fulfilled') return { value: answer.value, problem: undefined };
  return { value: before?.value, problem: failureText(answer.reason) };
}

function renderNone(): unknown {
  return html`<p class="faint">
    ${t('There are no open suggestions. A session suggests a rule if messages like one that it routed always go to the same place, and Ravel looks for such rules in its history. It tests each rule against earlier decisions before you see it.')}
  </p>`;
}

function renderCharts(days: RequestResults['routing_share']['days']): unknown {
  const charts = [shareChart(days), stepChart(days), costChart(days)].filter(({ lines }) =>
    lines.some(({ values }) => values.some((value) => value > 0)),
  );
  if (charts.length === 0) return nothing;
  return html`<h2>${t('Routed without a model')}</h2>
    <div class="charts">${charts.map((chart: Chart) => html`<ravel-chart .chart=${chart}></ravel-chart>`)}</div>`;
}
