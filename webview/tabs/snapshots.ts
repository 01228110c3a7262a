import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { RavelEvent } from '../../src/model/event.ts';
import type { RequestResults } from '../../src/model/protocol.ts';
import type { ComparedFile, SnapshotRow } from '../../src/model/requests/snapshots.ts';
import { icon } from '../icons.ts';
import { readableText } from '../session/readableText.ts';
import { LoadingTab, renderProblem } from './loadingTab.ts';
import { wholeTab } from './tabStyles.ts';

type Shown = RequestResults['snapshots'];

/** Snapshots that are loaded at once; a button loads the next ones. */
const snapshotsAtOnce = 50;

/** The tab "Snapshots": the states that the plan had, how they differ from now, and the way back to them. */
export class RavelSnapshots extends LoadingTab<Shown> {
  static override properties = {
    ...LoadingTab.properties,
    wanted: { state: true },
    compared: { state: true },
  };

  static override styles = [...LoadingTab.styles, wholeTab];

  /** Snapshots to show. */
  declare protected wanted: number;
  /** The snapshot that is compared with now, and where it differs. */
  declare protected compared: { readonly id: string; readonly files: readonly ComparedFile[] } | undefined;

  constructor() {
    super();
    this.wanted = snapshotsAtOnce;
  }

  protected override forget(): void {
    super.forget();
    this.wanted = snapshotsAtOnce;
    this.compared = undefined;
  }

  protected override concerns({ type }: RavelEvent): boolean {
    return type === 'commit.made' || type === 'plan.changed' || type === 'state.merged';
  }

  protected override async load(signal: AbortSignal): Promise<Shown> {
    const { plan } = this.status;
    return this.host.api.request('snapshots', { plan, limit: this.wanted }, signal);
  }

  protected override renderLoaded({ snapshots }: Shown): unknown {
    if (snapshots.length === 0)
      return html`<p class="faint">${t('No commit has a state of this plan yet. Each commit of its files appears here.')}</p>`;
    return html`${renderProblem(this.problem)}
      <p class="faint">
        ${t('States of the plan that commits have: its tasks, its memory and its phase. Messages, the session log and the source never go back.')}
      </p>
      <ul aria-label=${t('Snapshots')}>
        ${snapshots.map((row) => html`<li>${this.#renderRow(row)}</li>`)}
      </ul>
      ${
        snapshots.length < this.wanted
          ? nothing
          : html`<vscode-button appearance="secondary" @click=${this.#showMore}>${t('Show Older States')}</vscode-button>`
      }`;
  }

  #renderRow(row: SnapshotRow): unknown {
    const isOpen = this.compared?.id === row.id;
    const line = html`<span class="wide">${icon('git-commit')} ${readableText(row.title)}</span>
      <span class="faint">${timeOf(row.at)}</span>
      <code class="faint">${row.id.slice(0, 12)}</code>`;
    if (row.isNow) return html`<div class="line">${line} <b>${t('now')}</b></div>`;
    return html`<button
        class="line"
        aria-expanded=${isOpen}
        title=${t('Compare with the plan as it is now')}
        @click=${() => this.#toggle(row)}
      >
        ${line}
      </button>
      ${isOpen ? this.#renderCompared(row, this.compared?.files ?? []) : nothing}`;
  }

  #renderCompared(row: SnapshotRow, files: readonly ComparedFile[]): unknown {
    return html`<div class="inset">
      <ul aria-label=${t('Files that differ')}>
        ${files.map(
          (file) =>
            html`<li>
              <button class="line" title=${t('Open the changes')} @click=${() => this.#openDiff(row, file)}>
                <span class="wide">${file.file}</span>
              </button>
            </li>`,
        )}
      </ul>
      <vscode-button
        appearance="secondary"
        ?disabled=${this.readOnly !== undefined}
        @click=${() => this.host.open({ kind: 'rollBack', snapshot: row.id })}
      >
        ${t('Roll Back…')}
      </vscode-button>
    </div>`;
  }

  #toggle({ id }: SnapshotRow): void {
    if (this.compared?.id === id) {
      this.compared = undefined;
      return;
    }
    void this.act(async () => {
      const { plan } = this.status;
      const { files } = await this.host.api.request('compare_snapshot', { plan, snapshot: id });
      this.compared = { id, files };
    });
  }

  /** From now to what it was: as a way back would change it. */
  #openDiff({ at }: SnapshotRow, { file, before = '', after = '' }: ComparedFile): void {
    const title = t`${file} as on ${timeOf(at)}`;
    this.host.open({ kind: 'diff', path: file, title, before: { text: before }, after: { text: after } });
  }

  readonly #showMore = (): void => {
    this.wanted += snapshotsAtOnce;
    this.reload();
  };
}

function timeOf(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
