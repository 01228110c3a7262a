import type { Clock } from '../base/clock.ts';
import { RateBound } from '../base/rateBound.ts';
import { failure } from '../model/codes.ts';
import { givenMax } from '../model/requests/knowledge.ts';

/** Statements that one agent can propose in a minute. */
const statementsPerMinute = 10;

/** Who calls the tools, for as long as its connection lasts: what it was shown, and how much it proposes. */
export class AgentCaller {
  /** What entries that it proposes name as their source. */
  readonly source: () => string;
  readonly #statements: RateBound;
  #shown: readonly string[] = [];

  constructor({ clock, source }: { readonly clock: Pick<Clock, 'monotonicMs'>; readonly source: () => string }) {
    this.source = source;
    this.#statements = new RateBound(clock, { count: statementsPerMinute, withinMs: 60_000 });
  }

  /** The latest texts that it was shown: to repeat one is not to have learned something. */
  get shown(): readonly string[] {
    return this.#shown;
  }

  noteShown(text: string): void {
    this.#shown = [...this.#shown, text].slice(-givenMax);
  }

  /** Throws `write/tooMany` if it proposes too much. */
  countStatement(): void {
    if (this.#statements.take()) return;
    const message = `An agent can propose ${statementsPerMinute} statements a minute; this one was not stored.`;
    throw failure('write/tooMany', this.source(), message);
  }
}
