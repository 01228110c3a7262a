import type { ToolRequest } from '../../model/verdict.ts';
import type { Arrivals } from './arrivals.ts';
import type { Dialect } from './shell.ts';

/** Why a command may not simply run; undefined when it may. */
export type Objection = { readonly decision: 'deny' | 'ask'; readonly reason: string } | undefined;

/** Where a command may run: every folder that an earlier `cd` may have led to. */
export interface CommandPlace {
  readonly request: ToolRequest;
  readonly folders: readonly string[];
  /** Where earlier commands of the line put links and trees. */
  readonly arrivals: Arrivals;
  /** How many shells stand around it. */
  readonly depth: number;
  /** Judges the text of a shell that a command starts. */
  readonly judgeText: (text: string, place: CommandPlace, dialect?: Dialect) => Objection;
}

export function refuse(reason: string): Objection {
  return { decision: 'deny', reason };
}

export function ask(reason: string): Objection {
  return { decision: 'ask', reason };
}

/** A question that a sandbox answers: what runs inside of one does no harm that the sandbox does not keep from us. */
export function doubt(place: CommandPlace, reason: string): Objection {
  return place.request.confinement === 'confined' ? undefined : ask(reason);
}

/** The first refusal, else the first question. */
export function strictest(objections: Iterable<Objection>): Objection {
  let found: Objection;
  for (const objection of objections) {
    if (objection?.decision === 'deny') return objection;
    found ??= objection;
  }
  return found;
}
