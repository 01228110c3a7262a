import { t } from '@vscode/l10n';
import { css, html, nothing } from 'lit';
import { capitalized, counted, formatBytes, formatCount } from '../../src/base/text.ts';
import { explainConfinement } from '../../src/model/confinement.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { explainEntry, explainMemory } from '../../src/model/givenMemory.ts';
import { tokensIn } from '../../src/model/history.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { GivenPage } from '../../src/model/requests/inspect.ts';
import { readableText } from '../session/readableText.ts';
import { type Difference, type GivenGroup, type GivenLine, viewGiven } from './givenView.ts';
import { type CycleView, viewCycle } from './historyView.ts';
import { LoadingTab, renderProblem } from './loadingTab.ts';
import { wholeTab } from './tabStyles.ts';

interface Shown {
  readonly page: GivenPage;
  /** Other sessions to compare with, the newest first. */
  readonly others: readonly Other[];
  readonly other?: GivenPage;
}

interface Other {
  readonly session: Ulid;
  readonly label: string;
}

/** Cycles whose sessions can be compared with. */
const cyclesOffered = 10;

const differenceWords: Readonly<Record<Difference, string>> = {
  same: t('same'),
  changed: t('changed'),
  new: t('new'),
};

/** The tab "Given": everything that stood before the model when the session began, and why. */
export class RavelGiven extends LoadingTab<Shown | undefined> {
  static override properties = { ...LoadingTab.properties, texts: { state: true }, comparedWith: { state: true } };

  static override styles = [
    ...LoadingTab.styles,
    wholeTab,
    css`
      .share {
        width: 6em;
        height: 0.6em;
        align-self: center;
      }
      .share rect {
        fill: var(--vscode-charts-blue, var(--vscode-foreground));
      }
      .share .rest {
        fill: var(--vscode-editorWidget-border, var(--vscode-descriptionForeground));
        opacity: 0.35;
      }
      table {
        border-collapse: collapse;
      }
      th,
      td {
        padding: 0.15em 1.2em 0.15em 0;
        text-align: left;
        vertical-align: baseline;
      }
      td.number {
        text-align: right;
      }
    `,
  ];

  /** Of the lines that were opened, by their names. */
  declare protected texts: ReadonlyMap<string, string>;
  declare protected comparedWith: Ulid | undefined;

  constructor() {
    super();
    this.texts = new Map();
  }

  protected override key(): string {
    return `${this.status.plan} ${this.session ?? ''}`;
  }

  protected override forget(): void {
    super.forget();
    this.texts = new Map();
    this.comparedWith = undefined;
  }

  protected override async load(signal: AbortSignal): Promise<Shown | undefined> {
    const { plan } = this.status;
    const { session } = this;
    if (session === undefined) return undefined;
    const { api } = this.host;
    const page = await api.request('given', { plan, session }, signal);
    const { cycles } = await api.request('history', { plan, limit: cyclesOffered }, signal);
    const others = othersOf(cycles.map(viewCycle), page);
    const other = this.comparedWith;
    if (other === undefined) return { page, others };
    return { page, others, other: await api.request('given', { plan, session: other }, signal) };
  }

  protected override concerns(event: RavelEvent): boolean {
    return event.type === 'session.recalled' && event.session === this.session;
  }

  protected override renderLoaded(shown: Shown | undefined): unknown {
    if (shown === undefined) {
      return html`<p class="faint">${t('No session of this plan has started yet. Run a phase to see what it is given.')}</p>`;
    }
    const { page, others, other } = shown;
    const view = viewGiven(page, other);
    const { reported, recorded, confinement } = page;
    const recordedBytes = recorded?.reduce((sum, { bytes }) => sum + bytes, 0);
    return html`
      <p>
        ${t`What the model had been given when the ${page.phase ?? ''} session started: ${formatBytes(view.bytes)} from Ravel, about ${counted(view.tokens, t('{0} token'), t('{0} tokens'))}.`}
      </p>
      <table>
        <tr>
          <th scope="row">${t('Given by Ravel')}</th>
          <td class="number">${formatBytes(view.bytes)}</td>
          <td class="faint">${t('every byte of it is listed below')}</td>
        </tr>
        <tr>
          <th scope="row">${t('Added by the harness')}</th>
          <td class="number">${recordedBytes === undefined ? '–' : formatBytes(recordedBytes)}</td>
          <td class="faint">
            ${
              recorded === null
                ? t('not recorded for this version of it')
                : recorded.map(({ name, bytes }) => `${name} ${formatBytes(bytes)}`).join(', ') || t('nothing')
            }
          </td>
        </tr>
        <tr>
          <th scope="row">${t('Counted by the first turn')}</th>
          <td class="number">${reported === null ? '–' : formatCount(tokensIn(reported) - reported.outputTokens)}</td>
          <td class="faint">
            ${reported === null ? t('none reported by the harness') : t('tokens, as reported by the harness')}
          </td>
        </tr>
        ${
          confinement === undefined
            ? nothing
            : html`<tr>
                <th scope="row">${t('Its commands')}</th>
                <td>${confinement.state}</td>
                <td class="faint">${readableText(explainConfinement(confinement))}</td>
              </tr>`
        }
      </table>
      ${this.#renderComparison(others)} ${renderProblem(this.problem)}
      ${view.groups.map((group) => this.#renderGroup(group))} ${renderMemory(page)}
      ${
        view.gone.length === 0
          ? nothing
          : html`<h2>${t('Only in the other session')}</h2>
            <ul>
              ${view.gone.map(
                (line) => html`<li class="line">
                  <span class="wide">${capitalized(line.reason)}</span><code>${nameOf(line)}</code>
                  <span class="number">${formatBytes(line.bytes)}</span>
                </li>`,
              )}
            </ul>`
      }
    `;
  }

  #renderComparison(others: readonly Other[]): unknown {
    if (others.length === 0) return nothing;
    return html`<div class="bar">
      <label for="other">${t('Compare with')}</label>
      <vscode-dropdown id="other" aria-label=${t('Compare with')} @change=${this.#compare}>
        <vscode-option value="">${t('no other session')}</vscode-option>
        ${others.map(({ session, label }) => html`<vscode-option value=${session}>${label}</vscode-option>`)}
      </vscode-dropdown>
    </div>`;
  }

  #renderGroup(group: GivenGroup): unknown {
    return html`<h2>
        ${group.title}
        <span class="faint number">${t`${formatBytes(group.bytes)}, about ${formatCount(group.tokens)} tokens`}</span>
      </h2>
      <ul aria-label=${group.title}>
        ${group.lines.map((line) => html`<li>${this.#renderLine(line)}</li>`)}
      </ul>`;
  }

  #renderLine(line: GivenLine): unknown {
    const { difference, share } = line;
    const text = this.texts.get(line.name);
    return html`<details @toggle=${(event: Event) => this.#toggle(event, line)}>
      <summary class="line">
        <span class="wide">
          ${line.isTool ? html`<code>${nameOf(line)}</code>` : capitalized(line.reason)}
          ${line.parts.length > 1 ? html`<span class="faint">${t`(${line.parts.length} parts)`}</span>` : nothing}
        </span>
        ${
          difference === undefined
            ? nothing
            : html`<span class=${difference === 'same' ? 'faint' : 'badge'}>${differenceWords[difference]}</span>`
        }
        ${line.isTool ? nothing : html`<code class="faint">${nameOf(line)}</code>`}
        <span class="number">${formatBytes(line.bytes)}</span>
        <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="rest" width="100" height="6"></rect>
          <rect width=${(share * 100).toFixed(2)} height="6"></rect>
        </svg>
        <span class="number faint">${Math.round(share * 100)} %</span>
      </summary>
      <div class="inset">
        ${line.path === undefined ? nothing : html`<p class="faint">${t`From ${line.path}`}</p>`}
        ${
          text === undefined
            ? html`<p class="faint">${t('Loading …')}</p>`
            : html`<pre tabindex="0" role="region" aria-label=${t`Text of ${nameOf(line)}`}>${text}</pre>`
        }
      </div>
    </details>`;
  }

  readonly #compare = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    this.comparedWith = value === '' ? undefined : (value as Ulid);
    this.reload();
  };

  #toggle(event: Event, line: GivenLine): void {
    const isOpen = event.target instanceof HTMLDetailsElement && event.target.open;
    if (isOpen && !this.texts.has(line.name)) void this.#loadText(line);
  }

  async #loadText(line: GivenLine): Promise<void> {
    const { loaded } = this;
    if (loaded.kind !== 'loaded' || loaded.value === undefined) return;
    const { plan, session } = loaded.value.page;
    await this.act(async () => {
      const texts: string[] = [];
      for (const part of line.parts) {
        const { text, isCut } = await this.host.api.request('given_text', { plan, session, part });
        texts.push(
          text === undefined ? notKept : `${readableText(text)}${isCut ? t('\n… (the rest is left out)') : ''}`,
        );
      }
      if (this.session === session) this.texts = new Map([...this.texts, [line.name, texts.join('\n⋯\n')]]);
    });
  }
}

const notKept = t('(This text was not kept: this version of Ravel has a different one.)');

/** Each entry of the memory, why it was given or left out, and what came later. */
function renderMemory({ memory, later = [] }: GivenPage): unknown {
  if (memory === undefined) return nothing;
  const rows = memory.entries.map(
    (entry) => html`<tr>
      <td class="number">${entry.rank ?? ''}</td>
      <td class="faint">${placeWords[entry.place]}</td>
      <td>${readableText(entry.title)}</td>
      <td class="faint">${readableText(explainEntry(entry))}</td>
    </tr>`,
  );
  const laterRows = later.flatMap(({ at, tool, entries }) =>
    entries.map(
      ({ title, name }) => html`<tr>
        <td></td>
        <td class="faint">${t('later')}</td>
        <td>${readableText(title)}</td>
        <td class="faint">${t`names ${readableText(name)}; after ${tool}, ${at}`}</td>
      </tr>`,
    ),
  );
  return html`<h2>${t('Memory')}</h2>
    <p>${explainMemory(memory)}</p>
    <table aria-label=${t('Entries of the memory')}>${rows} ${laterRows}</table>`;
}

const placeWords = { full: t('in full'), title: t('by title'), left: t('left out') } as const;

/** `prompt/MEMORY` is the MEMORY of its group. */
function nameOf({ name }: GivenLine): string {
  return name.slice(name.indexOf('/') + 1);
}

/** Sessions of the same phase first: those are what one compares with. */
function othersOf(cycles: readonly CycleView[], page: GivenPage): Other[] {
  const seen = new Set<Ulid>([page.session]);
  const others = cycles.flatMap(({ cycle, phases }) =>
    phases
      .toReversed()
      .filter(({ isSession, session }) => isSession && !seen.has(session) && seen.add(session))
      .map(({ session, phase }) => ({ session, phase, label: t`${phase} of cycle ${cycle}` })),
  );
  const isAlike = ({ phase }: (typeof others)[number]) => Number(phase !== page.phase);
  return others.sort((a, b) => isAlike(a) - isAlike(b));
}
