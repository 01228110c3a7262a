import type { EventActor, RavelEvent } from '../../model/event.ts';

type Verdict = Extract<RavelEvent, { type: 'gate.judged' }>;

/**
 * The order in which people read events. A verdict on a tool overtakes what the session's program prints: a denial is held
 * back until its call was shown, with the question that belongs to it.
 */
export class CallOrder {
  /** Calls that have begun and not ended, by their ids, with their tools. */
  readonly #begun = new Map<string, string>();
  readonly #held = new Map<EventActor, RavelEvent[]>();

  /** What is to be shown now. */
  take(event: RavelEvent): RavelEvent[] {
    const held = this.#held.get(event.actor) ?? [];
    switch (event.type) {
      case 'gate.judged':
        if (!isDenial(event) || [...this.#begun.values()].includes(event.subject ?? '')) return [event];
        this.#held.set(event.actor, [...held, event]);
        return [];
      case 'approval.opened':
        if (held.length === 0 || event.kind !== 'tool-request') return [event];
        this.#held.set(event.actor, [...held, event]);
        return [];
      case 'session.output':
        return [event, ...this.#afterOutput(event)];
      case 'session.ended':
      case 'phase.ended':
        this.#begun.clear();
        this.#held.delete(event.actor);
        return [...held, event];
      default:
        return [event];
    }
  }

  /** What is held back still; for the end of everything. */
  rest(): RavelEvent[] {
    const left = [...this.#held.values()].flat();
    this.#held.clear();
    return left;
  }

  #afterOutput({ actor, output }: Extract<RavelEvent, { type: 'session.output' }>): RavelEvent[] {
    if (output.kind === 'toolEnded') this.#begun.delete(output.callId);
    if (output.kind !== 'toolStarted') return [];
    this.#begun.set(output.callId, output.tool);
    const [first, ...others] = this.#held.get(actor) ?? [];
    if (first?.type !== 'gate.judged' || first.subject !== output.tool) return [];
    const next = others.findIndex(({ type }) => type === 'gate.judged');
    const [now, later] = next < 0 ? [others, []] : [others.slice(0, next), others.slice(next)];
    this.#held.set(actor, later);
    return [first, ...now];
  }
}

function isDenial({ call, outcome }: Verdict): boolean {
  return call !== undefined && outcome !== 'accept' && outcome !== 'modify';
}
