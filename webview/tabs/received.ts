import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import { counted } from '../../src/base/text.ts';
import { draftField } from '../drafts.ts';
import { renderMarkdown } from '../markdown.ts';
import { readableText } from '../session/readableText.ts';
import { fieldValue, isFilled } from './fields.ts';
import { LoadingTab, renderProblem } from './loadingTab.ts';

/** A message as the verb `received/list` tells it. */
export interface ReceivedMessage {
  readonly id: string;
  readonly from: string;
  readonly at: string;
  readonly reason: string;
  readonly body: string;
}

type How = 'promote' | 'decline';

/** Messages that wait for triage: a person can make a task of one, or decline it, without waiting. */
export class RavelReceived extends LoadingTab<undefined> {
  static override properties = { ...LoadingTab.properties, messages: { attribute: false }, answering: { state: true } };

  declare messages: readonly ReceivedMessage[];
  declare protected answering: { readonly id: string; readonly how: How } | undefined;

  /** Whether it began with one; from then on the person opens and closes the list. */
  #hasDraft = false;

  protected override forget(): void {
    super.forget();
    const ways = this.messages.flatMap(({ id }) => [{ id, how: 'promote' } as const, { id, how: 'decline' } as const]);
    this.answering = ways.find(({ id, how }) => this.host.drafts.has(subjectOf(id, how)));
    this.#hasDraft = this.answering !== undefined;
  }

  protected override async load(): Promise<undefined> {
    return undefined;
  }

  protected override renderLoaded(): unknown {
    return html`<details ?open=${this.#hasDraft}>
      <summary class="line">
        <span class="badge">${counted(this.messages.length, t('{0} message'), t('{0} messages'))}</span> ${t('received; triage turns each into a task or declines it')}
      </summary>
      ${renderProblem(this.problem)}
      <ul class="inset" aria-label=${t('Received messages')}>
        ${this.messages.map((message) => html`<li>${this.#renderMessage(message)}</li>`)}
      </ul>
    </details>`;
  }

  #renderMessage(message: ReceivedMessage): unknown {
    const { id, from, reason, body } = message;
    const { answering } = this;
    return html`<p><span class="faint">${t`From ${readableText(from)}:`}</span> ${readableText(reason)}</p>
      <div class="markdown">${renderMarkdown(body)}</div>
      ${
        this.readOnly !== undefined
          ? nothing
          : answering?.id === id
            ? this.#renderAnswer(id, answering.how)
            : html`<div class="bar">
                <vscode-button appearance="secondary" @click=${() => this.#ask(id, 'promote')}>${t('Make a task')}</vscode-button>
                <vscode-button appearance="secondary" @click=${() => this.#ask(id, 'decline')}>${t('Decline')}</vscode-button>
              </div>`
      }`;
  }

  #renderAnswer(id: string, how: How): unknown {
    const keep = (name: string) => draftField(this.host.drafts, `${subjectOf(id, how)}/${name}`);
    return html`<div class="bar">
      ${
        how === 'promote'
          ? html`<vscode-text-field id="title" maxlength="200" ${keep('title')}>${t('Title')}</vscode-text-field
              ><vscode-text-field id="category" ${keep('category')}>${t('Category')}</vscode-text-field>`
          : html`<vscode-text-field id="reason" ${keep('reason')}>${t('Reason')}</vscode-text-field>`
      }
      <vscode-button ?disabled=${this.isActing} @click=${() => this.#answer(id, how)}>
        ${how === 'promote' ? t('Make a task') : t('Decline')}
      </vscode-button>
      <vscode-button appearance="secondary" @click=${() => this.#leave(id, how)}>${t('Cancel')}</vscode-button>
    </div>`;
  }

  #ask(id: string, how: How): void {
    this.answering = { id, how };
  }

  #leave(id: string, how: How): void {
    this.host.drafts.drop(subjectOf(id, how));
    this.answering = undefined;
  }

  async #answer(id: string, how: How): Promise<void> {
    const names = how === 'promote' ? ['title', 'category'] : ['reason'];
    const fields = names.map((name) => [name, fieldValue(this, name)] as const);
    const isDone = await this.act(() => {
      const missing = fields.find(([, value]) => !isFilled(value));
      if (missing !== undefined) throw new Error(`The ${missing[0]} is missing.`);
      const args = { id, ...Object.fromEntries(fields) };
      return this.host.api.request('state', { plan: this.status.plan, verb: `received/${how}`, args });
    });
    if (isDone) this.#leave(id, how);
  }
}

function subjectOf(id: string, how: How): string {
  return `received/${id}/${how}`;
}
