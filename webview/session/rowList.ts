import type { LitVirtualizer } from '@lit-labs/virtualizer';
import { t } from '@vscode/l10n';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { toDisposable } from '../../src/base/disposable.ts';
import { nextFrame } from '../frames.ts';
import type { HostConnection } from '../host.ts';
import { icon } from '../icons.ts';
import { sharedStyles } from '../styles.ts';
import { listStyles } from './listStyles.ts';
import { rowStyles } from './rowStyles.ts';
import { type Row, statusSentence } from './rows.ts';
import { isFolding, labelOf, type RowContext, renderRow } from './rowView.ts';

/** Nearer to the end than this counts as being there, in pixels. */
const endSlack = 24;
/** Pictures after which a list that still grows is left to its next change. */
const endTries = 20;

/**
 * The rows of a session, of which only those in sight are in the document. It stays at the end while it is there, and
 * where the person is once they scrolled; one row is in the order of the Tab key, and arrows go from row to row.
 */
export class RavelRows extends LitElement {
  static override properties = {
    host: { attribute: false },
    rows: { attribute: false },
    project: { attribute: false },
    isLive: { attribute: false },
    emptyText: { attribute: false },
  };
  static override styles = [sharedStyles, rowStyles, listStyles];

  declare host: HostConnection;
  /** A new array at each change. */
  declare rows: readonly Row[];
  declare project: string | undefined;
  /** Whether more is to come: then a screen reader is told of it. */
  declare isLive: boolean;
  declare emptyText: string;
  readonly #open = new Set<string>();
  readonly #whole = new Set<string>();
  #sticks = true;
  #active = 0;
  #spoken = '';
  #spokenCount = 0;
  #scrollsByHand = false;
  #frame = toDisposable(() => undefined);
  /** A row that is to have the focus and is not in the document yet. */
  #wanted: number | undefined;
  #wantedFrame = toDisposable(() => undefined);

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sticks = true;
  }

  override disconnectedCallback(): void {
    this.#frame.dispose();
    this.#wantedFrame.dispose();
    super.disconnectedCallback();
  }

  /** Shows the newest row, and each that comes after it. */
  toEnd(): void {
    this.#sticks = true;
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('rows')) return;
    const before = changed.get('rows');
    // Another session, or a replay that was put back: nothing of it was said.
    if (before === undefined || this.rows.length < before.length || this.rows[0]?.key !== before[0]?.key) {
      this.#spokenCount = this.rows.length;
      return;
    }
    this.#active = Math.min(this.#active, Math.max(0, this.rows.length - 1));
    if (this.isLive) this.#speak(before);
  }

  protected override render() {
    const { length } = this.rows;
    return html`
      ${length === 0 ? html`<p class="empty">${this.emptyText}</p>` : nothing}
      <lit-virtualizer
        scroller
        role="feed"
        aria-label=${t('Session')}
        aria-busy=${this.isLive ? 'true' : 'false'}
        ?hidden=${length === 0}
        .items=${this.rows as Row[]}
        .keyFunction=${(row: Row) => row.key}
        .renderItem=${(row: Row, index: number) => this.#renderItem(row, index)}
        @scroll=${this.#onScroll}
        @rangeChanged=${this.#onRange}
        @wheel=${this.#onHand}
        @pointerdown=${this.#onHand}
        @touchmove=${this.#onHand}
        @keydown=${this.#onKey}
        @focusin=${this.#onFocus}
      ></lit-virtualizer>
      ${
        this.#sticks || length === 0
          ? nothing
          : html`<button class="to-end" @click=${() => this.toEnd()}>${icon('chevron-down')} ${t('Newest')}</button>`
      }
      <div class="spoken" role="status">${this.#spoken}</div>
    `;
  }

  protected override updated(): void {
    if (this.#sticks) this.#keepEnd();
  }

  get #list(): LitVirtualizer | null {
    return this.renderRoot.querySelector('lit-virtualizer');
  }

  #renderItem(row: Row, index: number) {
    return html`<div
      class="item ${row.kind}-item"
      role="article"
      tabindex=${index === this.#active ? '0' : '-1'}
      data-place=${index}
      aria-posinset=${index + 1}
      aria-setsize=${this.isLive ? -1 : this.rows.length}
      aria-label=${labelOf(row)}
    >
      ${renderRow(row, this.#context())}
    </div>`;
  }

  #context(): RowContext {
    return {
      host: this.host,
      open: this.#open,
      whole: this.#whole,
      project: this.project,
      toggle: (key) => this.#toggle(key),
      showWhole: (key) => {
        this.#whole.add(key);
        this.#refresh();
      },
    };
  }

  /** A person who opens a row wants to read it: nothing moves it away. */
  #toggle(key: string): void {
    this.#sticks = false;
    if (!this.#open.delete(key)) this.#open.add(key);
    this.#refresh();
    this.#frame.dispose();
    this.#frame = nextFrame(() => this.#onScroll());
  }

  /** The virtual list looks at its rows again only if they are another array. */
  #refresh(): void {
    this.rows = [...this.rows];
  }

  /** Sizes of rows are known only once they were drawn, so the end is looked for again until it stands still. */
  #keepEnd(tries = endTries): void {
    this.#frame.dispose();
    this.#frame = nextFrame(() => {
      const list = this.#list;
      if (list === null || !this.#sticks) return;
      const isThere = list.scrollHeight - list.scrollTop - list.clientHeight <= 1;
      if (!isThere) list.scrollTop = list.scrollHeight;
      // One picture at the end may still be followed by rows that turn out to be higher.
      if (tries > 0) this.#keepEnd(isThere ? Math.min(tries - 1, 1) : tries - 1);
    });
  }

  readonly #onHand = (): void => {
    this.#scrollsByHand = true;
  };

  readonly #onScroll = (): void => {
    const list = this.#list;
    if (list === null) return;
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight <= endSlack;
    if (isAtEnd === this.#sticks || (!isAtEnd && !this.#scrollsByHand)) return;
    this.#sticks = isAtEnd;
    this.#scrollsByHand = false;
    this.requestUpdate();
  };

  readonly #onFocus = (event: FocusEvent): void => {
    const place = placeOf(event.target);
    if (place === undefined || place === this.#active) return;
    this.#active = place;
    // The rows are not drawn again: that would take the focus from the one that has it.
    for (const item of this.renderRoot.querySelectorAll<HTMLElement>('[data-place]')) {
      item.tabIndex = Number(item.dataset['place']) === place ? 0 : -1;
    }
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const place = placeOf(event.target);
    if (place === undefined) return;
    const row = this.rows[place];
    const isOnRow = event.target instanceof HTMLElement && event.target.matches('.item, .call');
    if (event.key === 'Escape') {
      if (isOnRow && row !== undefined && this.#open.has(row.key)) this.#toggle(row.key);
      this.#go(place);
    } else if (!isOnRow) {
      return;
    } else if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.matches('.item')) {
      if (row !== undefined && isFolding(row)) this.#toggle(row.key);
      else this.#enter(event.target);
    } else {
      const next = nextPlace(event.key, place, this.rows.length);
      if (next === undefined) return;
      this.#sticks = event.key === 'End';
      if (event.key === 'Home') this.#list?.scrollTo({ top: 0 });
      this.#go(next);
    }
    event.preventDefault();
  };

  /** Puts the focus on the first control inside a row; Escape leads back. */
  #enter(item: HTMLElement): void {
    item.querySelector<HTMLElement>('a, button, [tabindex="0"]')?.focus();
  }

  /** Puts the focus on a row, which may have to come into the document first. */
  #go(place: number): void {
    this.#active = place;
    const item = this.renderRoot.querySelector<HTMLElement>(`[data-place="${place}"]`);
    if (item === null) {
      this.#wanted = place;
    } else {
      item.focus({ preventScroll: true });
      item.scrollIntoView({ block: 'nearest' });
    }
    if (this.#sticks) this.#keepEnd();
  }

  /** The row that the focus goes to as soon as it is drawn. */
  readonly #onRange = (): void => {
    const place = this.#wanted;
    if (place === undefined) return;
    this.#wantedFrame.dispose();
    this.#wantedFrame = nextFrame(() => {
      const item = this.renderRoot.querySelector<HTMLElement>(`[data-place="${place}"]`);
      if (item === null || this.#wanted !== place) return;
      this.#wanted = undefined;
      item.focus({ preventScroll: true });
    });
  };

  #speak(before: readonly Row[]): void {
    const sentences = this.rows
      .slice(Math.max(0, Math.min(this.#spokenCount, before.length) - 20))
      .filter((row, index) => row !== before[Math.max(0, Math.min(this.#spokenCount, before.length) - 20) + index])
      .map(statusSentence)
      .filter((sentence) => sentence !== undefined);
    this.#spokenCount = this.rows.length;
    if (sentences.length > 0) this.#spoken = sentences.slice(-3).join(' ');
  }
}

/** Where a key leads from a row; undefined for a key that leads nowhere. */
function nextPlace(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, place + 1);
    case 'ArrowUp':
      return Math.max(0, place - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function placeOf(target: EventTarget | null): number | undefined {
  const item = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-place]') : null;
  const place = item?.dataset['place'];
  return place === undefined ? undefined : Number(place);
}
