import { t } from '@vscode/l10n';
import { css, html, nothing } from 'lit';
import type { RavelEvent } from '../../src/model/event.ts';
import type { ChangedFile, ChangeSet, ChangesPage, CheckedClaim } from '../../src/model/requests/inspect.ts';
import type { DiffSide } from '../../src/model/webview.ts';
import { icon } from '../icons.ts';
import { renderMarkdown } from '../markdown.ts';
import { readableText } from '../session/readableText.ts';
import {
  canPutBack,
  changedLinesLabel,
  countFiles,
  countVerdicts,
  describeSet,
  evidenceWord,
  figures,
  isBookkeeping,
  verdictWords,
  whyItStays,
} from './changesView.ts';
import { LoadingTab, renderProblem } from './loadingTab.ts';
import { wholeTab } from './tabStyles.ts';

/** The tab "Changes": what a session changed or wants to change, and what it claims beside what code found. */
export class RavelChanges extends LoadingTab<ChangesPage | undefined> {
  static override styles = [
    ...LoadingTab.styles,
    wholeTab,
    css`
      .folded {
        margin-top: 1em;
      }
      .file {
        display: flex;
        align-items: center;
        gap: 0.5em;
      }
      .file > .line {
        flex: 1;
        min-width: 0;
      }
      .claim {
        padding: 0.3em 0.4em;
      }
      .claim ul {
        margin-left: 1.6em;
      }
    `,
  ];

  protected override key(): string {
    return `${this.status.plan} ${this.session ?? ''}`;
  }

  protected override concerns(event: RavelEvent): boolean {
    switch (event.type) {
      case 'session.verb':
      case 'gate.judged':
      case 'state.merged':
      case 'commit.made':
      case 'plan.changed':
        return true;
      case 'session.output':
        return event.output.kind === 'toolEnded';
      default:
        return false;
    }
  }

  protected override async load(signal: AbortSignal): Promise<ChangesPage | undefined> {
    const { plan } = this.status;
    const { session } = this;
    return session === undefined ? undefined : this.host.api.request('changes', { plan, session }, signal);
  }

  protected override renderLoaded(page: ChangesPage | undefined): unknown {
    if (page === undefined)
      return html`<p class="faint">${t('No session of this plan has started yet, so nothing has changed.')}</p>`;
    const sets = page.sets.filter(({ kind, fileCount }) => kind === 'commit' || fileCount > 0);
    return html`${renderProblem(this.problem)} ${sets.length === 0 ? renderNothing(page) : nothing}
      ${sets.map((set) => this.#renderSet(set, page))} ${this.#renderBack(page)} ${this.#renderClaims(page)}`;
  }

  #renderSet(set: ChangeSet, page: ChangesPage): unknown {
    const { title, note } = describeSet(set, page.state);
    const name = readableText(title);
    const files = html`<ul aria-label=${name}>
      ${set.files.map((file) => html`<li>${this.#renderFile(file, set, page)}</li>`)}
    </ul>`;
    if (isBookkeeping(set)) {
      return html`<details class="folded">
        <summary class="line">
          <span class="wide">${icon('git-commit')} ${name}</span> <span class="faint">${note}, ${t`${countFiles(set)} of Ravel`}</span>
        </summary>
        <div class="inset">${files}</div>
      </details>`;
    }
    return html`<h2>${set.kind === 'commit' ? icon('git-commit') : icon('edit')} ${name}</h2>
      <p class="faint">${note} (${countFiles(set)})</p>
      ${files} ${set.kind === 'source' ? this.#renderPutBackAll(page) : nothing}`;
  }

  #renderPutBackAll({ left = [] }: ChangesPage): unknown {
    if (left.filter(canPutBack).length < 2) return nothing;
    return html`<vscode-button
      appearance="secondary"
      ?disabled=${this.readOnly !== undefined}
      @click=${() => this.host.open({ kind: 'putBack', to: 'before' })}
    >
      ${t('Put All Back…')}
    </vscode-button>`;
  }

  /** What was put back, and can come again. */
  #renderBack({ left = [] }: ChangesPage): unknown {
    const back = left.filter(({ now, isKept }) => now === 'before' && isKept);
    if (back.length === 0) return nothing;
    return html`<h2>${icon('discard')} ${t('Put back')}</h2>
      <p class="faint">${t('As before the session. What the session left is kept.')}</p>
      <ul aria-label=${t('Put back')}>
        ${back.map(
          ({ path }) =>
            html`<li class="line">
              <span class="wide">${readableText(path)}</span> ${this.#renderGo(path, 'after', t('Bring Again…'))}
            </li>`,
        )}
      </ul>`;
  }

  #renderGo(path: string, to: 'before' | 'after', title: string): unknown {
    return html`<vscode-button
      appearance="secondary"
      aria-label=${`${title} ${readableText(path)}`}
      ?disabled=${this.readOnly !== undefined}
      @click=${() => this.host.open({ kind: 'putBack', path, to })}
    >
      ${title}
    </vscode-button>`;
  }

  #renderFile(file: ChangedFile, set: ChangeSet, page: ChangesPage): unknown {
    const row = set.kind === 'source' ? page.left?.find(({ path }) => path === file.path) : undefined;
    const button = html`<button class="line" title=${t('Open the changes')} @click=${() => this.#openDiff(page, set, file)}>
      <span class="wide">${readableText(file.path)}</span>
      ${file.changedBefore === true ? html`<span class="faint">${t('was changed before too')}</span>` : nothing}
      <span class="faint">${file.status}</span>
      <span class="number" aria-hidden="true">${figures(file)}</span>
      <span class="spoken">${changedLinesLabel(file)}</span>
    </button>`;
    if (row === undefined) return button;
    return html`<div class="file">
      ${button}
      ${
        canPutBack(row)
          ? this.#renderGo(row.path, 'before', t('Put Back…'))
          : html`<span class="faint">${whyItStays(row)}</span>`
      }
    </div>`;
  }

  #renderClaims({ claims, record, phase }: ChangesPage): unknown {
    if (phase !== 'work' && phase !== 'analyse-work') return nothing;
    if (claims.length === 0 && record === undefined) return nothing;
    return html`<h2>${t('Claims and their evidence')} <span class="faint">${countVerdicts(claims)}</span></h2>
      <p class="faint">${t('The claims of the analysis. Code checks the evidence and gives each verdict, never a session.')}</p>
      <ul aria-label=${t('Claims')}>
        ${claims.map(renderClaim)}
      </ul>
      ${claims.length === 0 ? html`<p>${t('The record has no claims to check.')}</p>` : nothing}
      ${
        record === undefined
          ? nothing
          : html`<details>
              <summary class="line">${t('The record of the session')}</summary>
              <div class="inset markdown">${renderMarkdown(record)}</div>
            </details>`
      }`;
  }

  #openDiff(page: ChangesPage, set: ChangeSet, file: ChangedFile): void {
    void this.act(async () => {
      const { plan, session } = page;
      const { path } = file;
      const side = (which: 'before' | 'after') =>
        this.host.api.request('changed_file', { plan, session, set: set.set, path, side: which });
      const [before, after] = await Promise.all([side('before'), side('after')]);
      if (before.isBinary || after.isBinary) throw new Error(`${path} is not a text file, or is too large to show.`);
      // What lies in the project can be edited right there.
      const inPlace: DiffSide = { file: { root: 'project', path } };
      const isInPlace = set.kind === 'source' && after.isThere && file.status !== 'removed';
      const title = `${path} (${describeSet(set, page.state).title})`;
      this.host.open({
        ...{ kind: 'diff', path, title },
        before: { text: before.text },
        after: isInPlace ? inPlace : { text: after.text },
      });
    });
  }
}

function renderNothing({ state, phase }: ChangesPage): unknown {
  if (state === 'running')
    return html`<p class="faint">${t('Nothing has changed so far. The changes of the session appear here.')}</p>`;
  return html`<p class="faint">
    ${t`Nothing is left to be seen of what this ${phase ?? ''} session changed: it changed nothing, or its changes wait in the working tree for a commit of a later phase.`}
  </p>`;
}

function renderClaim({ id, text, verdict, evidence }: CheckedClaim): unknown {
  const word = verdictWords[verdict ?? 'open'];
  const tone = verdict === 'evidenced' ? 'good' : verdict === 'contradicted' ? 'bad' : 'notice';
  const sign = verdict === 'evidenced' ? 'check' : verdict === 'contradicted' ? 'error' : 'question';
  return html`<li class="claim">
    <span class=${tone}>${icon(sign)}</span> <b>${word}</b> <span class="faint">${readableText(id)}</span> ${readableText(text)}
    <ul aria-label=${t('Evidence')}>
      ${evidence.map(
        ({ kind, text: said }) =>
          html`<li><span class="faint">${evidenceWord(kind)}:</span> <code>${readableText(said)}</code></li>`,
      )}
      ${evidence.length === 0 ? html`<li class="faint">${t('no evidence was named')}</li>` : nothing}
    </ul>
  </li>`;
}
