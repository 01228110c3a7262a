import { t } from '@vscode/l10n';
import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { isRecord, parseJson } from '../../src/base/json.ts';
import { counted } from '../../src/base/text.ts';
import type { NewPlans, PlanProposal, ProposedPlan, ProposedTask } from '../../src/model/planProposal.ts';
import { questionSubject } from '../drafts.ts';
import type { HostConnection } from '../host.ts';
import { icon } from '../icons.ts';
import { readableText } from '../session/readableText.ts';
import { sharedStyles } from '../styles.ts';
import { editProposal, inOrder, itself, type ProposalEdit, type SuggestionName } from './proposalEdit.ts';

const suggestionLabels = (): Readonly<Record<SuggestionName, string>> => ({ expert: t('Expert'), rule: t('Rule') });
const suggestionNames: readonly SuggestionName[] = ['expert', 'rule'];

/** Characters of a plan's description, as the gates count them. */
const descriptionMax = 120;

/**
 * Proposed plans with their tasks, each of which a person can change, move or remove in its place. What they changed is a
 * draft of the question, so it outlives the page; the event `edited` has it after each
 * change, or null if nothing is changed.
 */
export class RavelProposal extends LitElement {
  static override properties = {
    host: { attribute: false },
    approval: { attribute: false },
    proposed: { attribute: false },
    readOnly: { attribute: false },
    proposal: { state: true },
    open: { state: true },
  };

  static override styles = [
    sharedStyles,
    css`
      section {
        margin-top: 1em;
        padding-top: 0.6em;
        border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
      }
      .head,
      .task,
      .details label,
      .details .box {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3em 0.6em;
        align-items: center;
      }
      .task {
        flex-wrap: nowrap;
        margin-top: 0.3em;
      }
      .task .number {
        min-width: 1.8em;
        text-align: right;
      }
      .wide {
        flex: 1 1 12em;
        min-width: 0;
      }
      .details {
        display: grid;
        gap: 0.5em;
        margin: 0.4em 0 0.8em 2.4em;
      }
      h3 {
        margin: 0.4em 0 0.2em;
        font-size: 1em;
      }
      .details label > span:first-child,
      .box > span {
        min-width: 8.5em;
      }
      textarea {
        resize: vertical;
        min-height: 4.5em;
      }
      .over {
        font-weight: 600;
      }
      @media (max-width: 480px) {
        .details {
          margin-left: 0;
        }
      }
    `,
  ];

  declare host: HostConnection;
  declare approval: string;
  /** As it was proposed. */
  declare proposed: NewPlans;
  declare readOnly: string | undefined;
  declare protected proposal: PlanProposal;
  /** Tasks that are shown whole, as `plan/task`. */
  declare protected open: ReadonlySet<string>;
  #focus: string | undefined;

  constructor() {
    super();
    this.open = new Set();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('approval') && !changed.has('proposed')) return;
    const kept = parseJson(this.host.drafts.get(this.#draftKey) ?? '');
    this.proposal = isProposal(kept) ? kept : inOrder(this.proposed.proposal);
    if (isProposal(kept)) this.#tell();
  }

  /** A person who added or moved something continues there. */
  protected override updated(): void {
    if (this.#focus === undefined) return;
    this.renderRoot.querySelector<HTMLElement>(this.#focus)?.focus();
    this.#focus = undefined;
  }

  protected override render(): unknown {
    const { proposal, proposed } = this;
    const { plans, questions = [] } = proposal;
    const fresh = plans.filter(({ slug }) => slug !== itself).length;
    const tasks = plans.reduce((sum, { tasks: own = [] }) => sum + own.length, 0);
    return html`
      ${proposed.goal === undefined ? nothing : html`<p><b>${t('Goal')}</b> ${readableText(proposed.goal)}</p>`}
      <p class="faint">${t`${counted(fresh, t('{0} new plan'), t('{0} new plans'))} and ${counted(tasks, t('{0} task'), t('{0} tasks'))}, below ${readableText(proposed.under)}.`}</p>
      ${renderList(t('You should decide'), questions)} ${renderList(t('Please look at this'), proposed.notes)}
      ${repeat(
        plans,
        (_plan, at) => at,
        (plan, at) => this.#renderPlan(plan, at),
      )}
      <p>
        ${this.#button(t('Add Plan'), 'add', () => this.#edit({ kind: 'addPlan' }, `#slug-${plans.length}`))}
        ${this.#isChanged ? this.#button(t('Undo All Changes'), 'discard', () => this.#undo()) : nothing}
      </p>
      ${this.#renderSuggestions()}
    `;
  }

  #renderPlan(plan: ProposedPlan, at: number): unknown {
    const { slug, description = '', tasks = [], memory = [] } = plan;
    const isItself = slug === itself;
    const length = [...description.trim()].length;
    const name = isItself ? readableText(this.proposed.under) : readableText(slug === '' ? t('New plan') : slug);
    return html`<section aria-label=${name}>
      <div class="head">
        <h3>${isItself ? html`${t`For ${name} itself`}` : html`${t`New plan ${name}`}`}</h3>
        ${this.#button(t`Remove ${isItself ? t('These Tasks') : t('Plan')}`, 'close', () => this.#edit({ kind: 'removePlan', plan: at }))}
      </div>
      ${
        isItself
          ? nothing
          : html`<div class="details">
              <label><span>${t('Name')}</span>${this.#input(`slug-${at}`, slug, (text) => ({ kind: 'plan', plan: at, change: { slug: text } }))}</label>
              <label
                ><span>${t('Lasting purpose')}</span>${this.#input(`description-${at}`, description, (text) => ({ kind: 'plan', plan: at, change: { description: text } }))}
                <span class=${length > descriptionMax ? 'over' : 'faint'}>${t`${length} of ${descriptionMax}`}</span></label
              >
            </div>`
      }
      <ol>
        ${tasks.map((task, place) => html`<li>${this.#renderTask(plan, at, task, place)}</li>`)}
      </ol>
      ${this.#button(t('Add Task'), 'add', () => this.#edit({ kind: 'addTask', plan: at }, `#task-${at}-${tasks.length}`))}
      ${
        memory.length === 0
          ? nothing
          : html`<h3>${t('What its sessions will know')}</h3>
              <ul>
                ${memory.map(
                  ({ title, body }, place) => html`<li class="task">
                    <span class="wide"><b>${readableText(title)}</b> ${readableText(body)}</span>
                    ${this.#button(t`Remove “${title}”`, 'close', () => this.#edit({ kind: 'removeMemory', plan: at, memory: place }), true)}
                  </li>`,
                )}
              </ul>`
      }
    </section>`;
  }

  #renderTask(plan: ProposedPlan, at: number, task: ProposedTask, place: number): unknown {
    const key = `${at}/${place}`;
    const isOpen = this.open.has(key);
    const { title } = task;
    const name = readableText(title === '' ? t`task ${place + 1}` : title);
    const move = (by: -1 | 1) => () =>
      this.#edit({ kind: 'moveTask', plan: at, task: place, by }, `#task-${at}-${place + by}`);
    return html`<div class="task" role="group" aria-label=${name}>
        <span class="faint number">${place + 1}.</span>
        <button
          aria-expanded=${isOpen ? 'true' : 'false'}
          aria-label=${`Details of ${name}`}
          title=${t('Details')}
          @click=${() => this.#toggle(key)}
        >
          ${icon(isOpen ? 'chevron-down' : 'chevron-right')}
        </button>
        ${this.#input(`task-${at}-${place}`, title, (text) => ({ kind: 'task', plan: at, task: place, change: { title: text } }), t`Title of ${name}`)}
        ${this.#button(t`Move ${name} up`, 'arrow-up', move(-1), true, place === 0)}
        ${this.#button(t`Move ${name} down`, 'arrow-down', move(1), true, place === (plan.tasks?.length ?? 0) - 1)}
        ${this.#button(t`Remove ${name}`, 'close', () => this.#edit({ kind: 'removeTask', plan: at, task: place }), true)}
      </div>
      ${isOpen ? this.#renderDetails(plan, at, task, place) : nothing}`;
  }

  #renderDetails(plan: ProposedPlan, at: number, task: ProposedTask, place: number): unknown {
    const id = `${at}-${place}`;
    const change = (key: 'category' | 'description' | 'done_when') => (text: string) =>
      ({ kind: 'task', plan: at, task: place, change: { [key]: text } }) as const;
    const others = (plan.tasks ?? []).filter((one) => one !== task && one.title !== '');
    const { dependencies = [] } = task;
    return html`<div class="details">
      <label><span>${t('Category')}</span>${this.#input(`category-${id}`, task.category ?? '', change('category'))}</label>
      <label><span>${t('What to do')}</span>${this.#area(`work-${id}`, task.description ?? '', change('description'))}</label>
      <label><span>${t('Done when')}</span>${this.#input(`done-${id}`, task.done_when ?? '', change('done_when'))}</label>
      ${
        others.length === 0
          ? nothing
          : html`<div class="box" role="group" aria-label=${t('After these tasks')}>
              <span>${t('After')}</span>
              ${others.map(
                ({ title }) => html`<label
                  ><input
                    type="checkbox"
                    .checked=${dependencies.includes(title)}
                    ?disabled=${this.readOnly !== undefined}
                    @change=${() => this.#depend(at, place, dependencies, title)}
                  />${readableText(title)}</label
                >`,
              )}
            </div>`
      }
      ${
        this.proposal.plans.length < 2
          ? nothing
          : html`<label
              ><span>${t('Plan')}</span
              ><select class="field" ?disabled=${this.readOnly !== undefined} @change=${(event: Event) => this.#give(event, at, place)}>
                ${this.proposal.plans.map(
                  ({ slug }, to) => html`<option value=${to} ?selected=${to === at}>
                    ${readableText(slug === itself ? this.proposed.under : slug)}
                  </option>`,
                )}
              </select></label
            >`
      }
    </div>`;
  }

  /** Each can be changed and removed; what is left when the plans are made is told to the person again. */
  #renderSuggestions(): unknown {
    const { suggestions = {} } = this.proposal;
    const shown = suggestionNames.filter((name) => suggestions[name] !== undefined);
    if (shown.length === 0) return nothing;
    return html`<section aria-label=${t('Suggestions')}>
      <h3>${t('It also suggests')}</h3>
      ${shown.map(
        (name) => html`<div class="task">
          <label class="task wide"
            ><span class="number">${suggestionLabels()[name]}</span>${this.#input(`suggestion-${name}`, suggestions[name] ?? '', (text) => ({ kind: 'suggestion', suggestion: name, text }))}</label
          >
          ${this.#button(t`Remove the Suggested ${suggestionLabels()[name]}`, 'close', () => this.#edit({ kind: 'suggestion', suggestion: name }), true)}
        </div>`,
      )}
    </section>`;
  }

  #input(id: string, value: string, edit: (text: string) => ProposalEdit, label?: string): unknown {
    return html`<input
      id=${id}
      class="field wide"
      aria-label=${label ?? nothing}
      .value=${value}
      ?readonly=${this.readOnly !== undefined}
      @input=${(event: Event) => this.#edit(edit((event.target as HTMLInputElement).value))}
    />`;
  }

  #area(id: string, value: string, edit: (text: string) => ProposalEdit): unknown {
    return html`<textarea
      id=${id}
      class="field wide"
      rows="4"
      .value=${value}
      ?readonly=${this.readOnly !== undefined}
      @input=${(event: Event) => this.#edit(edit((event.target as HTMLTextAreaElement).value))}
    ></textarea>`;
  }

  #button(words: string, sign: Parameters<typeof icon>[0], click: () => void, isBare = false, isOff = false): unknown {
    return html`<button
      aria-label=${isBare ? words : nothing}
      title=${isBare ? words : nothing}
      ?disabled=${isOff || this.readOnly !== undefined}
      @click=${click}
    >
      ${icon(sign)}${isBare ? nothing : ` ${words}`}
    </button>`;
  }

  #depend(plan: number, task: number, dependencies: readonly string[], title: string): void {
    const others = dependencies.filter((one) => one !== title);
    const now = others.length === dependencies.length ? [...others, title] : others;
    this.#edit({ kind: 'task', plan, task, change: { dependencies: now } });
  }

  #give({ target }: Event, plan: number, task: number): void {
    const to = Number((target as HTMLSelectElement).value);
    this.open = new Set();
    this.#edit({ kind: 'giveTask', plan, task, to }, `#task-${to}-${this.proposal.plans[to]?.tasks?.length ?? 0}`);
  }

  #toggle(key: string): void {
    const open = new Set(this.open);
    if (!open.delete(key)) open.add(key);
    this.open = open;
  }

  /** `focus` is a selector of what the person continues in. */
  #edit(edit: ProposalEdit, focus?: string): void {
    this.proposal = editProposal(this.proposal, edit);
    // What is open is known by its place, which is another one now.
    if (edit.kind === 'moveTask' || edit.kind === 'removeTask' || edit.kind === 'removePlan') this.open = new Set();
    this.#focus = focus;
    this.host.drafts.set(this.#draftKey, this.#isChanged ? JSON.stringify(this.proposal) : '');
    this.#tell();
  }

  #undo(): void {
    this.proposal = inOrder(this.proposed.proposal);
    this.open = new Set();
    this.host.drafts.set(this.#draftKey, '');
    this.#tell();
  }

  #tell(): void {
    const edited = this.#isChanged ? JSON.stringify(this.proposal) : null;
    this.dispatchEvent(new CustomEvent<string | null>('edited', { detail: edited }));
  }

  get #isChanged(): boolean {
    return JSON.stringify(this.proposal) !== JSON.stringify(inOrder(this.proposed.proposal));
  }

  get #draftKey(): string {
    return `${questionSubject(this.approval)}/proposal`;
  }
}

function renderList(title: string, texts: readonly (string | undefined)[]): unknown {
  const shown = texts.filter((text) => text !== undefined && text.trim() !== '');
  if (shown.length === 0) return nothing;
  return html`<h3>${title}</h3>
    <ul>
      ${shown.map((text) => html`<li>${readableText(text ?? '')}</li>`)}
    </ul>`;
}

/** What was kept is of ours, but perhaps of an older version. */
function isProposal(value: unknown): value is PlanProposal {
  if (!isRecord(value) || !Array.isArray(value['plans'])) return false;
  return value['plans'].every((plan) => isRecord(plan) && typeof plan['slug'] === 'string');
}
