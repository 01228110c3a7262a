import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { EventActor, RavelEvent } from '../../model/event.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Output } from '../ports.ts';
import { CallOrder } from './callOrder.ts';
import { formatEvent } from './events.ts';
import { formatLive } from './live.ts';
import { advanceProgress, noProgress, type Progress } from './progress.ts';
import type { Style } from './style.ts';
import { terminalText } from './terminalText.ts';

/** Ten times a second: output of several sessions at once would else be one write for each line. */
const redrawMs = 100;
/** Elapsed time is shown in seconds. */
const tickMs = 1_000;
/** The width of output that does not go to a terminal. */
export const plainColumns = 100;
const usualColumns = 80;
const leastColumns = 20;

export interface ScreenOptions {
  readonly output: Output;
  readonly clock: Clock;
  readonly style: Style;
}

/**
 * Shows events as they come. On a terminal some rows at the bottom follow the newest phase, redrawn in place; anywhere
 * else there are plain lines and nothing moves.
 */
export class Screen implements Disposable {
  readonly #options: ScreenOptions;
  readonly #progress = new Map<EventActor, Progress>();
  readonly #projects = new Map<EventActor, string>();
  readonly #order = new CallOrder();
  #latest: EventActor | undefined;
  #rows = 0;
  #timer: Disposable | undefined;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  /** From here on paths inside the plan's project are shown relative to it. */
  setProject(plan: QualifiedId, directory: string): void {
    this.#projects.set(plan, directory);
  }

  show(event: RavelEvent): void {
    for (const one of this.#order.take(event)) this.#showNow(one);
  }

  #showNow(event: RavelEvent): void {
    const { clock, style, output } = this.#options;
    const happenedMs = happenedAt(event, clock);
    const progress = advanceProgress(this.#progress.get(event.actor) ?? noProgress, event, happenedMs);
    this.#progress.set(event.actor, progress);
    // Events say the second; the milliseconds are only what passed between two looks at the clocks.
    const elapsedMs = Math.round((happenedMs - progress.startedMs) / 1_000) * 1_000;
    const format = { style, columns: this.#columns(), progress, elapsedMs, ...this.#projectOf(event.actor) };
    const lines = formatEvent(event, format);
    this.#latest = event.actor;
    if (event.type === 'phase.ended') this.#progress.set(event.actor, noProgress);
    if (lines.length > 0) this.print(lines);
    else if (output.isTty) this.#drawSoon();
  }

  /** Lines that stay, above the live rows. */
  print(lines: readonly string[]): void {
    this.#write(terminalText(`${lines.join('\n')}\n`, this.#options.style));
  }

  /** Takes the live rows away; what was printed stays. */
  dispose(): void {
    for (const left of this.#order.rest()) this.#showNow(left);
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#options.output.write(this.#erase());
    this.#rows = 0;
    this.#latest = undefined;
  }

  #columns(): number {
    return columnsOf(this.#options.output);
  }

  #projectOf(plan: EventActor | undefined): { readonly project?: string } {
    const project = plan === undefined ? undefined : this.#projects.get(plan);
    return defined({ project });
  }

  #drawSoon(): void {
    const { clock } = this.#options;
    if (clock.monotonicMs() - this.#drawnMs >= redrawMs) this.#write('');
    else this.#schedule(redrawMs);
  }

  #schedule(delayMs: number): void {
    this.#timer?.dispose();
    this.#timer = this.#options.clock.schedule(delayMs, () => this.#write(''));
  }

  /** One write for erasing, new lines and live rows, so that nothing flickers. */
  #write(text: string): void {
    const { output, clock, style } = this.#options;
    const nowMs = clock.monotonicMs();
    const progress = this.#latest === undefined ? undefined : this.#progress.get(this.#latest);
    const format = { style, columns: this.#columns(), nowMs, ...this.#projectOf(this.#latest) };
    const rows = output.isTty && progress !== undefined ? formatLive(progress, format) : [];
    const live = rows.map((row) => `${terminalText(row, style)}\n`).join('');
    output.write(`${this.#erase()}${text}${live}`);
    this.#rows = rows.length;
    this.#drawnMs = nowMs;
    if (rows.length > 0) this.#schedule(tickMs);
  }

  #erase(): string {
    // To the start of the line as well: the terminal may have echoed `^C`.
    return this.#rows === 0 ? '' : `\u001b[${this.#rows}F\u001b[J`;
  }
}

/**
 * When an event happened, in monotonic milliseconds: events of a transcript come long after that, and all at once. Asked
 * at each event how long ago it was, so that a jump of the wall clock between two of them does not count as time.
 */
function happenedAt({ at }: RavelEvent, clock: Clock): number {
  const nowMs = clock.monotonicMs();
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? nowMs : nowMs - (clock.wallMs() - atMs);
}

/** A terminal that does not know its size reports 0. */
export function columnsOf({ isTty, columns }: Pick<Output, 'isTty' | 'columns'>): number {
  if (!isTty) return plainColumns;
  return columns === 0 ? usualColumns : Math.max(leastColumns, columns);
}
