import { t } from '@vscode/l10n';
import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import { formatCount } from '../../src/base/text.ts';
import type { SuggestionRow } from '../../src/model/requests/routing.ts';
import type { BackTest } from '../../src/model/routing.ts';
import { backTestSentence, percent, ruleSentence } from '../../src/model/ruleText.ts';
import { draftField } from '../drafts.ts';
import { failureAfterOpening, failureText } from '../failureText.ts';
import type { HostConnection } from '../host.ts';
import { icon } from '../icons.ts';
import { readableText } from '../session/readableText.ts';
import { sharedStyles } from '../styles.ts';
import { renderProblem } from '../tabs/loadingTab.ts';
import { tabStyles } from '../tabs/tabStyles.ts';

/** What a person is about to do, if it takes a second step. */
type Asking = 'reject' | 'override' | undefined;

/** One suggested rule: what it says, what it would have done, what speaks against it, and every way to decide. */
export class RavelSuggestion extends LitElement {
  static override properties = {
    host: { attribute: false },
    row: { attribute: false },
    readOnly: { attribute: false },
    asking: { state: true },
    isDeciding: { state: true },
    problem: { state: true },
  };

  static override styles = [
    sharedStyles,
    tabStyles,
    css`
      :host {
        padding: 0.8em 1em 1em;
        border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
        border-radius: 4px;
      }
      .scroll {
        overflow-x: auto;
      }
      table {
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
        margin: 0.3em 0 0.6em;
      }
      caption {
        text-align: left;
        font-weight: 600;
        padding-bottom: 0.2em;
      }
      th, td {
        padding: 0.15em 1.2em 0.15em 0;
        text-align: left;
        vertical-align: top;
        overflow-wrap: anywhere;
      }
      th {
        font-weight: 400;
        white-space: nowrap;
        color: var(--vscode-descriptionForeground);
      }
      h3 {
        font-size: 1.1em;
        font-weight: 600;
      }
      td.text {
        min-width: 14em;
      }
      .second {
        margin: 0.4em 0 0;
        padding: 0.6em 0.8em;
        border-left: 3px solid var(--vscode-focusBorder);
        background: var(--vscode-textBlockQuote-background, transparent);
      }
      vscode-text-field {
        width: min(100%, 34em);
      }
    `,
  ];

  declare host: HostConnection;
  declare row: SuggestionRow;
  declare readOnly: string | undefined;
  declare protected asking: Asking;
  declare protected isDeciding: boolean;
  declare protected problem: string | undefined;

  #subscription: Disposable = toDisposable(() => undefined);

  constructor() {
    super();
    this.isDeciding = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#subscription = this.host.onOpened(() => {
      this.problem = failureAfterOpening(this.problem);
    });
  }

  override disconnectedCallback(): void {
    this.#subscription.dispose();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('row');
    if (!changed.has('row') || before?.approval === this.row.approval) return;
    this.asking = this.host.drafts.has(this.#subject) ? 'reject' : undefined;
    this.problem = undefined;
  }

  get #subject(): string {
    return `suggestion/${this.row.approval}`;
  }

  protected override render(): unknown {
    const { suggestion, backTest, objections, yaml } = this.row;
    const { replaces, by, reason, messages } = suggestion;
    return html`<h3>${readableText(ruleSentence(suggestion.rule))}</h3>
      ${replaces === undefined ? nothing : html`<p>${t('It would replace the rule')} <code>${readableText(replaces)}</code>.</p>`}
      <p>${readableText(reason)}</p>
      <p class="faint">
        ${by === 'level-2' ? t('Suggested by a routing session.') : t('Suggested by Ravel from past decisions.')}
        ${messages.map(
          (message, at) =>
            html`<button class="led" @click=${() => this.host.open({ kind: 'why', about: message })}>${t`Message ${at + 1}`}</button> `,
        )}
      </p>
      <pre tabindex="0" aria-label=${t('The rule as it would stand in routing.yaml')}>${readableText(yaml).trimEnd()}</pre>
      <p>${readableText(backTestSentence(backTest))}</p>
      ${renderFigures(backTest)} ${renderDisagreements(backTest)}
      ${objections.map((one) => html`<p class="notice">${icon('warning')} ${readableText(one)}</p>`)}
      ${this.readOnly === undefined ? nothing : html`<p class="notice">${icon('warning')} ${this.readOnly}</p>`}
      ${renderProblem(this.problem)} ${this.#renderButtons()} ${this.#renderSecondStep()}`;
  }

  #renderButtons(): unknown {
    const { approval, objections } = this.row;
    const isOff = this.isDeciding || this.readOnly !== undefined;
    const open = (as: 'thread' | 'preview' | 'form') => () => this.host.open({ kind: 'suggestion', approval, as });
    return html`<div class="bar">
      ${
        objections.length === 0
          ? html`<vscode-button ?disabled=${isOff} @click=${() => this.#decide({ decision: 'accept' })}>${t('Accept')}</vscode-button>`
          : html`<vscode-button appearance="secondary" ?disabled=${isOff} @click=${() => this.#ask('override')}>${t('Accept Anyway…')}</vscode-button>`
      }
      <vscode-button appearance="secondary" ?disabled=${isOff} @click=${open('form')}>${t('Edit')}</vscode-button>
      <vscode-button appearance="secondary" ?disabled=${isOff} @click=${() => this.#ask('reject')}>${t('Reject…')}</vscode-button>
      <vscode-button appearance="secondary" @click=${open('preview')}>${t('Preview')}</vscode-button>
      <vscode-button appearance="secondary" @click=${open('thread')}>${t('Show in routing.yaml')}</vscode-button>
    </div>`;
  }

  #renderSecondStep(): unknown {
    if (this.asking === undefined) return nothing;
    const cancel = html`<vscode-button appearance="secondary" @click=${this.#cancel}>${t('Cancel')}</vscode-button>`;
    if (this.asking === 'override') {
      return html`<div class="second" role="group" aria-label=${t('Accept anyway')}>
        <p>${t('The rule goes into routing.yaml in spite of the objections above. Your decision is recorded with them.')}</p>
        <div class="bar">
          <vscode-button id="second" ?disabled=${this.isDeciding} @click=${() => this.#decide({ decision: 'accept', override: true })}>${t('Yes, Accept It')}</vscode-button>
          ${cancel}
        </div>
      </div>`;
    }
    return html`<div class="second" role="group" aria-label=${t('Reject')}>
      <vscode-text-field id="second" placeholder=${t('Why not? An equal rule is not suggested again.')} aria-label=${t('Reason')}
        ${draftField(this.host.drafts, `${this.#subject}/reason`)}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter') this.#reject();
        }}></vscode-text-field>
      <div class="bar">
        <vscode-button ?disabled=${this.isDeciding} @click=${() => this.#reject()}>${t('Reject')}</vscode-button>
        ${cancel}
      </div>
    </div>`;
  }

  readonly #cancel = (): void => {
    this.host.drafts.drop(this.#subject);
    this.#ask(undefined);
  };

  #ask(asking: Asking): void {
    this.asking = asking;
    this.updateComplete
      .then(() => this.renderRoot.querySelector<HTMLElement>('#second')?.focus())
      // A picture that failed was told where it did; there is nothing to put the focus on.
      .catch(() => undefined);
  }

  #reject(): void {
    const reason = this.renderRoot.querySelector<HTMLElement & { value?: string }>('#second')?.value?.trim() ?? '';
    this.#decide({ decision: 'reject', ...(reason !== '' && { reason }) });
  }

  #decide(answer: {
    readonly decision: 'accept' | 'reject';
    readonly override?: true;
    readonly reason?: string;
  }): void {
    const { approval, contentHash } = this.row;
    this.isDeciding = true;
    this.problem = undefined;
    this.host.api
      .request('decide', { approval, contentHash, ...answer })
      .then(
        ({ did }) => {
          this.host.drafts.drop(this.#subject);
          this.dispatchEvent(new CustomEvent('decided', { detail: did }));
        },
        (error: unknown) => {
          this.problem = failureText(error);
          // The message names who was quicker, and the list is loaded again.
          this.dispatchEvent(new CustomEvent('refused'));
        },
      )
      .finally(() => {
        this.isDeciding = false;
        this.asking = undefined;
      });
  }
}

function renderFigures({ decisions, matched, agreed, disagreed, freed, share }: BackTest): unknown {
  const cells: readonly (readonly [string, string])[] = [
    [t('Decisions'), formatCount(decisions)],
    [t('Matched'), formatCount(matched)],
    [t('Agreed'), formatCount(agreed)],
    [t('Disagreed'), formatCount(disagreed)],
    [t('Newly without a model'), formatCount(freed)],
    [t`Without a model, of the newest ${formatCount(share.of)}`, `${percent(share.before)} → ${percent(share.after)}`],
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t('Tested on past decisions')}>
    <table>
      <caption>${t('Tested on past decisions')}</caption>
      <thead><tr>${cells.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody><tr>${cells.map(([, value]) => html`<td>${value}</td>`)}</tr></tbody>
    </table>
  </div>`;
}

function renderDisagreements({ disagreements, disagreed }: BackTest): unknown {
  if (disagreements.length === 0) return nothing;
  const of =
    disagreed > disagreements.length ? t`, the newest ${disagreements.length} of ${formatCount(disagreed)}` : '';
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t('Messages that went elsewhere')}>
    <table>
      <caption>${t`Messages that went elsewhere${of}`}</caption>
      <thead><tr><th scope="col">${t('When')}</th><th scope="col">${t('Went to')}</th><th scope="col">${t('Text')}</th><th scope="col">${t('Facts')}</th></tr></thead>
      <tbody>
        ${disagreements.map(
          ({ at, to, excerpt, facts }) => html`<tr>
            <td class="number">${at.slice(0, 10)}</td>
            <td>${readableText(to)}</td>
            <td class="text">${readableText(excerpt)}</td>
            <td>${readableText(facts.join(', '))}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
