import { t } from '@vscode/l10n';
import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { defined } from '../../src/base/defined.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import { isRavelError } from '../../src/base/errors.ts';
import { capitalized } from '../../src/base/text.ts';
import { answerName } from '../../src/model/answerNames.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { RequestResults } from '../../src/model/protocol.ts';
import type { ApprovalPage, PossibleAnswer } from '../../src/model/requests/approvals.ts';
import { draftField, questionSubject } from '../drafts.ts';
import { failureAfterOpening, failureText } from '../failureText.ts';
import type { HostConnection } from '../host.ts';
import { icon } from '../icons.ts';
import { sharedStyles } from '../styles.ts';
import { readableText } from './readableText.ts';

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'unread'; readonly failure: string }
  | { readonly kind: 'asked'; readonly page: ApprovalPage; readonly failure?: string }
  | { readonly kind: 'deciding'; readonly page: ApprovalPage }
  | { readonly kind: 'over'; readonly did: string };

/** A question to the person, with what it is about and every way to answer it. */
export class RavelQuestion extends LitElement {
  static override properties = {
    host: { attribute: false },
    approval: { attribute: false },
    subject: { attribute: false },
    readOnly: { attribute: false },
    isClosed: { attribute: false },
    edited: { attribute: false },
    isShownBelow: { attribute: false },
    state: { state: true },
  };
  static override styles = [
    sharedStyles,
    css`
      .card {
        margin-top: 6px;
        padding: 8px 12px;
        border: 1px solid var(--vscode-editorWarning-foreground);
        border-radius: 4px;
      }
      .shown {
        max-height: 20em;
        margin: 6px 0;
        padding: 6px 8px;
        overflow: auto;
        background: var(--vscode-textCodeBlock-background);
      }
      li {
        display: grid;
        grid-template-columns: minmax(8em, max-content) 1fr;
        gap: 6px 10px;
        align-items: center;
        margin-top: 6px;
      }
      vscode-text-area {
        grid-column: 1 / -1;
        width: 100%;
      }
      @media (max-width: 420px) {
        li {
          grid-template-columns: 1fr;
        }
      }
    `,
  ];
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  declare host: HostConnection;
  declare approval: Ulid;
  declare subject: string;
  declare readOnly: string | undefined;
  /** Whether it waits no longer, as a list of open questions says that comes by itself. */
  declare isClosed: boolean;
  /** The form of what is proposed as the person changed it around this card: accepting it accepts that. */
  declare edited: string | undefined;
  /** Whether what stands between the tags of this element shows what belongs to the question. */
  declare isShownBelow: boolean;
  declare state: State;
  #subscription: Disposable = toDisposable(() => undefined);

  constructor() {
    super();
    this.isClosed = false;
    this.isShownBelow = false;
    this.state = { kind: 'loading' };
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('approval')) this.state = { kind: 'loading' };
    // Who answered it, and how, is what the next look at it says; one's own answer is shown as it comes.
    else if (!changed.has('isClosed') || !this.isClosed || this.state.kind !== 'asked') return;
    this.#loadNow();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // What could not be read while the vault had no owner can be read now.
    this.#subscription = this.host.onOpened(() => {
      const { state } = this;
      if (state.kind === 'unread') this.#loadNow();
      if (state.kind !== 'asked') return;
      const failure = failureAfterOpening(state.failure);
      this.state = { kind: 'asked', page: state.page, ...defined({ failure }) };
    });
  }

  override disconnectedCallback(): void {
    this.#subscription.dispose();
    super.disconnectedCallback();
  }

  protected override render() {
    const decided = this.state.kind === 'over' ? this.state.did : undefined;
    return html`<section class="card" aria-label=${t('Question')}>
      <h2>${icon('question')} ${readableText(this.subject)}</h2>
      ${decided === undefined ? this.#renderOpen() : html`<p role="status">${icon('check')} ${readableText(decided)}</p>`}
    </section>`;
  }

  #renderOpen() {
    if (this.state.kind === 'unread')
      return html`<p class="bad" role="alert">${icon('error')} ${this.state.failure}</p>`;
    if (this.state.kind !== 'asked' && this.state.kind !== 'deciding') return html`<p class="faint">…</p>`;
    const { page } = this.state;
    const failure = this.state.kind === 'asked' ? this.state.failure : undefined;
    return html`<p class="faint">${page.asks}</p>
      ${!this.isShownBelow && addsTo(this.subject, page.shown) ? html`<pre class="shown">${page.shown}</pre>` : nothing}
      <slot></slot>
      ${failure === undefined ? nothing : html`<p class="bad" role="alert">${icon('error')} ${failure}</p>`}
      ${this.readOnly === undefined ? nothing : html`<p class="notice">${icon('warning')} ${this.readOnly}</p>`}
      <ul>
        ${page.answers.map((answer, index) => this.#renderAnswer(page, answer, index))}
        ${this.#renderDefer(page)}
      </ul>`;
  }

  #renderAnswer(page: ApprovalPage, answer: PossibleAnswer, index: number) {
    const isOff = this.state.kind === 'deciding' || this.readOnly !== undefined;
    // A receiver is chosen from a list, so that no id has to be typed.
    const isTyped = answer.text !== undefined && page.kind !== 'unroutable-message';
    return html`<li>
      ${
        !isTyped
          ? nothing
          : html`<vscode-text-area
              data-answer=${index}
              rows="3"
              resize="vertical"
              aria-label=${capitalized(answer.text)}
              ${draftField(this.host.drafts, `${this.#subject}/${index}`)}
            >
              ${capitalized(answer.text)}
            </vscode-text-area>`
      }
      <vscode-button appearance=${index === 0 ? 'primary' : 'secondary'} ?disabled=${isOff} @click=${() => this.#answer(answer, index)}>
        ${readableText(answerName(page.kind, answer))}
      </vscode-button>
      <span class="faint">${answer.does}</span>
    </li>`;
  }

  /** Only of a question of the vault: a phase that waits cannot be put off. */
  #renderDefer({ approval, plan, deferredUntil }: ApprovalPage) {
    if (plan !== undefined) return nothing;
    const isOff = this.state.kind === 'deciding' || this.readOnly !== undefined;
    // An open question that is missing among those that wait was put off.
    const until = this.isClosed && deferredUntil !== undefined ? dayOf(deferredUntil) : undefined;
    const words =
      until === undefined
        ? t('Asks you later. It stays as it is, and can be answered before.')
        : t`Deferred until ${until}. You can answer it before.`;
    return html`<li>
      <vscode-button
        appearance="secondary"
        ?disabled=${isOff}
        @click=${() => this.host.open({ kind: 'defer', approval })}
      >
        ${t('Defer…')}
      </vscode-button>
      <span class="faint" role=${until === undefined ? nothing : 'status'}>${words}</span>
    </li>`;
  }

  #loadNow(): void {
    this.#load(this.approval).catch((error: unknown) => {
      this.state = isRavelError(error, 'approval/decided')
        ? { kind: 'over', did: error.message }
        : { kind: 'unread', failure: failureText(error) };
    });
  }

  async #load(approval: Ulid): Promise<void> {
    const page = await this.host.api.request('approval', { approval });
    if (approval !== this.approval) return;
    this.dispatchEvent(new CustomEvent<ApprovalPage>('asked', { detail: page }));
    this.state = { kind: 'asked', page };
  }

  #answer(answer: PossibleAnswer, index: number): void {
    if (this.state.kind !== 'asked') return;
    const { page } = this.state;
    if (answer.decision === 'edit') {
      this.host.open({ kind: 'answer', approval: this.approval, as: 'text' });
      return;
    }
    if (page.kind === 'unroutable-message' && answer.decision === 'accept' && answer.option === undefined) {
      this.host.open({ kind: 'answer', approval: this.approval, as: 'receiver' });
      return;
    }
    // It drops what was proposed, so the editor asks, as it does wherever else this is rejected.
    if (answer.decision === 'reject') {
      this.host.open({ kind: 'reject', approval: this.approval });
      return;
    }
    const field = this.renderRoot.querySelector<HTMLElement & { value: string }>(`[data-answer="${index}"]`);
    const text = field?.value.trim();
    if (answer.text !== undefined && (text ?? '') === '') {
      this.state = { kind: 'asked', page, failure: t`Write ${answer.text} first.` };
      field?.focus();
      return;
    }
    this.state = { kind: 'deciding', page };
    const given =
      answer.decision === 'accept' && this.edited !== undefined
        ? this.#decide(page, { ...answer, decision: 'edit' }, this.edited)
        : this.#decide(page, answer, text);
    given.catch((error: unknown) => {
      this.state = { kind: 'asked', page, failure: failureText(error) };
    });
  }

  async #decide(page: ApprovalPage, { decision, option }: PossibleAnswer, text: string | undefined): Promise<void> {
    const decided = await this.host.api.request('decide', {
      ...{ approval: page.approval, decision, contentHash: page.contentHash },
      ...defined({ option }),
      ...(text === undefined || text === '' ? {} : { text }),
    });
    this.host.drafts.drop(this.#subject);
    this.state = { kind: 'over', did: decided.did };
    this.dispatchEvent(new CustomEvent<RequestResults['decide']>('decided', { detail: decided }));
  }

  get #subject(): string {
    return questionSubject(this.approval);
  }
}

function dayOf(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });
}

/** Whether what belongs to a question is more than the question once again. */
function addsTo(subject: string, shown: string): boolean {
  return !subject.trim().endsWith(shown.trim());
}
