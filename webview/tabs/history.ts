import { t } from '@vscode/l10n';
import { css, html, nothing } from 'lit';
import { counted, formatCount, formatDollars, formatDuration } from '../../src/base/text.ts';
import type { Cycle } from '../../src/model/history.ts';
import type { RollbackRecord } from '../../src/model/phaseRecord.ts';
import type { Chart } from '../charts.ts';
import { icon } from '../icons.ts';
import { readableText } from '../session/readableText.ts';
import {
  type CycleView,
  chartMemoryUse,
  chartPhases,
  type Measure,
  type PhaseView,
  shortCount,
  viewCycle,
} from './historyView.ts';
import { LoadingTab, renderProblem } from './loadingTab.ts';
import { wholeTab } from './tabStyles.ts';

interface Shown {
  readonly cycles: readonly Cycle[];
  readonly total: number;
  readonly next?: number;
}

/** Cycles that are loaded at once; a button loads the next ones. */
const cyclesAtOnce = 50;

const measures: Readonly<Record<Measure, Pick<Chart, 'title' | 'short' | 'whole'>>> = {
  tokens: { title: t('Tokens by phase'), short: shortCount, whole: formatCount },
  usd: { title: t('Cost by phase'), short: formatDollars, whole: formatDollars },
};

/** The tab "History": past cycles with what they took, each session of which can be played again. */
export class RavelHistory extends LoadingTab<Shown> {
  static override properties = { ...LoadingTab.properties, wanted: { state: true } };

  static override styles = [
    ...LoadingTab.styles,
    wholeTab,
    css`
      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 20em), 1fr));
        gap: 0 2em;
      }
      .cycle {
        font-weight: 600;
        min-width: 5em;
      }
      .phase {
        min-width: 9.5em;
      }
    `,
  ];

  /** Cycles to show. */
  declare protected wanted: number;

  constructor() {
    super();
    this.wanted = cyclesAtOnce;
  }

  protected override forget(): void {
    super.forget();
    this.wanted = cyclesAtOnce;
  }

  protected override async load(signal: AbortSignal): Promise<Shown> {
    const { plan } = this.status;
    return this.host.api.request('history', { plan, limit: this.wanted }, signal);
  }

  protected override renderLoaded({ cycles, total, next }: Shown): unknown {
    if (total === 0) {
      return html`<p class="faint">${t('No phase of this plan has ended yet. Ended phases appear here, with their time and cost.')}</p>`;
    }
    return html`${renderProblem(this.problem)}
      <div class="charts">${renderChart(cycles, 'tokens')}${renderChart(cycles, 'usd')}${renderMemoryUse(cycles)}</div>
      <h2>${counted(total, t('{0} cycle'), t('{0} cycles'))}</h2>
      <ul aria-label=${t('Cycles')}>
        ${cycles.map((cycle, index) => html`<li>${this.#renderCycle(viewCycle(cycle), index === 0)}</li>`)}
      </ul>
      ${
        next === undefined
          ? nothing
          : html`<vscode-button appearance="secondary" @click=${this.#showMore}>${t('Show Older Cycles')}</vscode-button>`
      }`;
  }

  #renderCycle(view: CycleView, isOpen: boolean): unknown {
    const { sums } = view;
    return html`<details ?open=${isOpen}>
      <summary class="line">
        <span class="cycle">${t`Cycle ${view.cycle}`}</span>
        <span>${view.isGood ? nothing : html`<span class="notice">${icon('warning')}</span> `}${view.word}</span>
        <span class="wide">${readableText(view.summary)}</span>
        <span class="figures faint">
          <span>${formatDuration(sums.durationMs)}</span><span>${t`${formatCount(sums.tokens)} tokens`}</span
          ><span>${formatDollars(sums.usd)}</span><span>${counted(sums.commits, t('{0} commit'), t('{0} commits'))}</span>
        </span>
      </summary>
      <ul class="inset" aria-label=${t`Phases of cycle ${view.cycle}`}>
        ${view.rows.map((row) => html`<li>${'rollback' in row ? renderRollback(row) : this.#renderPhase(row)}</li>`)}
      </ul>
    </details>`;
  }

  #renderPhase(phase: PhaseView): unknown {
    const { confinement, tokens, usd, durationMs } = phase;
    const took = [
      ...(confinement === undefined ? [] : [confinement]),
      ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
      ...(tokens === undefined ? [] : [t`${formatCount(tokens)} tokens`]),
      ...(usd === undefined ? [] : [formatDollars(usd)]),
    ];
    const content = html`<span class="phase">${phase.phase}</span>
      <span>${phase.end === 'finished' ? nothing : html`<span class="notice">${icon('warning')}</span> `}${phase.end}</span>
      <span class="wide">
        ${readableText(phase.summary)}${renderCommits(phase.commits ?? [])}
      </span>
      <span class="figures faint">${took.map((one) => html`<span>${one}</span>`)}</span>`;
    if (!phase.isSession) return html`<div class="line">${content}</div>`;
    return html`<button class="line" @click=${() => this.#replay(phase)} title=${t('Replay this session')}>${content}</button>`;
  }

  #replay({ session }: PhaseView): void {
    this.host.open({ kind: 'session', plan: this.status.plan, session, tab: 'session' });
  }

  readonly #showMore = (): void => {
    this.wanted += cyclesAtOnce;
    this.reload();
  };
}

function renderCommits(commits: RollbackRecord['commits']): unknown {
  return commits.map(
    ({ commit, title }) => html`<br />${icon('git-commit')}<code>${commit.slice(0, 8)}</code> ${readableText(title)}`,
  );
}

/** A person did it, so there is no session to replay. */
function renderRollback({ rollback, by, files, commits }: RollbackRecord): unknown {
  return html`<div class="line">
    <span class="phase">${t('rollback')}</span>
    <span class="wide">
      ${t`${by} put the plan back as it was at ${rollback.slice(0, 12)}`}${renderCommits(commits)}
    </span>
    <span class="figures faint"><span>${counted(files.length, t('{0} file'), t('{0} files'))}</span></span>
  </div>`;
}

function renderChart(cycles: readonly Cycle[], measure: Measure): unknown {
  const { cycles: places, lines } = chartPhases(cycles, measure);
  if (lines.length === 0) return nothing;
  const chart: Chart = { kind: 'stack', axis: t('Cycle'), places, lines, ...measures[measure] };
  return html`<ravel-chart .chart=${chart}></ravel-chart>`;
}

/** One point is a figure and not a chart. */
function renderMemoryUse(cycles: readonly Cycle[]): unknown {
  const { cycles: places, lines } = chartMemoryUse(cycles);
  if (places.length < 2) return nothing;
  const chart: Chart = {
    ...{ kind: 'lines', title: t('Memory entries of work'), axis: t('Cycle'), places, lines },
    ...{ short: shortCount, whole: formatCount },
  };
  return html`<ravel-chart .chart=${chart}></ravel-chart>`;
}
