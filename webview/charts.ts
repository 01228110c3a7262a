import { t } from '@vscode/l10n';
import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import uPlot from 'uplot';
import { occupiedMarks } from './chartAxis.ts';

/** One line of figures; the first of a stack lies at its bottom. */
export interface ChartLine {
  readonly label: string;
  /** One for each place of the axis. */
  readonly values: readonly number[];
}

export interface Chart {
  /** What is shown, as a heading. */
  readonly title: string;
  readonly kind: 'stack' | 'lines';
  /** What the places of the axis are, such as "Cycle". */
  readonly axis: string;
  readonly places: readonly number[];
  /** The name of a place; its number by default. */
  readonly placeName?: (place: number) => string;
  readonly lines: readonly ChartLine[];
  /** Where the axis ends; by the highest figure unless told. */
  readonly max?: number;
  /** A figure as the axis shows it, and as the table does. */
  readonly short: (value: number) => string;
  readonly whole: (value: number) => string;
}

/**
 * Colours of the theme, which keep their order; a chart has no more lines than these. Orange is left out, since themes have
 * it translucent, and red comes last: it would say that something is wrong.
 */
const colours = ['blue', 'yellow', 'green', 'purple', 'foreground', 'red'] as const;

/** Height of a chart in pixels. */
const heightPixels = 160;

/**
 * A chart in the colours of the theme, drawn again when the theme changes. A table below it has the exact figures, also
 * for users who cannot see the chart.
 */
export class RavelChart extends LitElement {
  static override properties = { chart: { attribute: false } };

  static override styles = css`
    :host {
      display: block;
      margin: 0.8em 0 1em;
    }
    figure {
      margin: 0;
    }
    figcaption {
      font-weight: 600;
      margin-bottom: 0.3em;
    }
    .plot {
      min-height: ${heightPixels}px;
      overflow: hidden;
    }
    .uplot {
      position: relative;
      width: min-content;
    }
    .uplot canvas {
      display: block;
      position: relative;
      width: 100%;
      height: 100%;
    }
    .u-wrap {
      position: relative;
      user-select: none;
    }
    .u-over, .u-under {
      position: absolute;
    }
    .u-under {
      overflow: hidden;
    }
    .u-axis {
      position: absolute;
    }
    ul {
      display: flex;
      flex-wrap: wrap;
      gap: 0.2em 1em;
      list-style: none;
      margin: 0.2em 0;
      padding: 0;
    }
    ul svg {
      width: 0.8em;
      height: 0.8em;
      margin-right: 0.35em;
    }
    details {
      color: var(--vscode-descriptionForeground);
    }
    summary {
      cursor: pointer;
    }
    summary:focus-visible {
      outline: 1px solid var(--vscode-focusBorder);
    }
    .scroll {
      overflow-x: auto;
      max-height: 18em;
    }
    table {
      border-collapse: collapse;
      font-variant-numeric: tabular-nums;
    }
    th, td {
      padding: 0.1em 0.8em 0.1em 0;
      text-align: right;
    }
    th:first-child {
      text-align: left;
    }
  `;

  declare chart: Chart | undefined;

  #plot: uPlot | undefined;
  readonly #resized = new ResizeObserver(() => this.#resize());
  readonly #themed = new MutationObserver(() => this.requestUpdate('chart', undefined));

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
    // The editor changes the variables of the page's root, and then the class of its body.
    this.#themed.observe(document.documentElement, { attributeFilter: ['style'] });
    this.#themed.observe(document.body, { attributeFilter: ['class'] });
    if (this.hasUpdated) this.requestUpdate('chart', undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
    this.#themed.disconnect();
    this.#drop();
  }

  protected override render() {
    const { chart } = this;
    if (chart === undefined) return nothing;
    return html`<figure>
      <figcaption>${chart.title}</figcaption>
      <div class="plot" role="img" aria-label=${t`${chart.title}; the figures are in the table that follows`}></div>
      <ul aria-hidden="true">
        ${chart.lines.map(
          ({ label }, index) =>
            html`<li><svg viewBox="0 0 10 10"><rect width="10" height="10" fill=${this.#colour(index)}></rect></svg>${label}</li>`,
        )}
      </ul>
      <details>
        <summary>${t('Show the figures')}</summary>
        <div class="scroll" tabindex="0" role="region" aria-label=${t`Figures of ${chart.title}`}>${renderTable(chart)}</div>
      </details>
    </figure>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('chart')) this.#draw();
  }

  #draw(): void {
    this.#drop();
    const { chart } = this;
    const place = this.renderRoot.querySelector<HTMLElement>('.plot');
    if (chart === undefined || place === null || place.clientWidth === 0) return;
    const size = { width: place.clientWidth, height: heightPixels };
    this.#plot = new uPlot({ ...size, ...this.#options(chart) }, dataOf(chart), place);
  }

  #drop(): void {
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  #resize(): void {
    const width = this.renderRoot.querySelector('.plot')?.clientWidth ?? 0;
    if (width === 0) return;
    if (this.#plot === undefined) this.#draw();
    else if (this.#plot.width !== width) this.#plot.setSize({ width, height: heightPixels });
  }

  #options(chart: Chart): Omit<uPlot.Options, 'width' | 'height'> {
    const style = getComputedStyle(this);
    const ink = style.getPropertyValue('--vscode-foreground') || style.color;
    const faint = style.getPropertyValue('--vscode-charts-lines') || ink;
    const font = `11px ${style.fontFamily}`;
    const axis = { stroke: ink, font, grid: { stroke: faint, width: 0.3 }, ticks: { stroke: faint, width: 0.3 } };
    const filter = (_plot: uPlot, splits: number[]) => occupiedMarks(chart.places, splits);
    const order = chart.kind === 'stack' ? chart.lines.map((_, index) => index).toReversed() : chart.lines.keys();
    const isSingle = chart.places.length === 1;
    return {
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: (_plot, min, max) => [min - 0.6, max + 0.6] },
        y: { range: (_plot, _min, max) => [0, chart.max ?? (max > 0 ? max * 1.08 : 1)] },
      },
      axes: [
        {
          ...axis,
          ...{ incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], space: 36, size: 28 },
          ...{ filter, grid: { ...axis.grid, filter }, ticks: { ...axis.ticks, filter } },
          ...(chart.placeName !== undefined && { values: (_plot: uPlot, marks: number[]) => marks.map(nameOf(chart)) }),
        },
        { ...axis, size: 56, values: (_plot, splits) => splits.map(chart.short) },
      ],
      series: [
        {},
        ...[...order].map((index): uPlot.Series => {
          const colour = this.#colour(index);
          if (chart.kind === 'lines') {
            const isBound = index > 0;
            return {
              stroke: colour,
              width: 2,
              points: { show: isSingle || !isBound, fill: colour },
              ...(isBound && { dash: [6, 4] }),
            };
          }
          const paths = uPlot.paths.bars?.({ size: [0.6, 40] });
          return { fill: colour, stroke: colour, width: 0, points: { show: false }, ...(paths && { paths }) };
        }),
      ],
    };
  }

  #colour(index: number): string {
    const style = getComputedStyle(this);
    const name = colours[index % colours.length];
    return style.getPropertyValue(`--vscode-charts-${name}`) || style.getPropertyValue('--vscode-foreground') || 'gray';
  }
}

/** Of a stack the sums up to each line, the highest first: what lies before it leaves of it what is its own. */
function dataOf({ kind, places, lines }: Chart): uPlot.AlignedData {
  if (kind === 'lines') return [[...places], ...lines.map(({ values }) => [...values])];
  const sums = lines.map((_, top) =>
    places.map((_place, at) => lines.slice(0, top + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  );
  return [[...places], ...sums.toReversed()];
}

/** The axis also has marks between and beyond the places; those get no name. */
function nameOf({ places, placeName = String }: Chart): (mark: number | null) => string {
  return (mark) => (mark !== null && places.includes(mark) ? placeName(mark) : '');
}

function renderTable(chart: Chart) {
  const { axis, places, lines, whole } = chart;
  const name = nameOf(chart);
  return html`<table>
    <thead>
      <tr><th scope="col">${axis}</th>${lines.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr>
    </thead>
    <tbody>
      ${places.map(
        (place, at) =>
          html`<tr><th scope="row">${name(place)}</th>${lines.map(({ values }) => html`<td>${whole(values[at] ?? 0)}</td>`)}</tr>`,
      )}
    </tbody>
  </table>`;
}
