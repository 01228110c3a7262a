import type { ToolRequest } from '../../model/verdict.ts';
import type { Arrivals } from './arrivals.ts';
import type { Dialect } from './shell/shell.ts';

/** Why a command may not simply run; undefined when it may. */
export type Objection =
  | {
      readonly decision: 'deny' | 'ask';
      readonly reason: string;
      /** It can only do its work if its sandbox opens the network. */
      readonly needsNetwork?: true;
    }
  | undefined;

/** Where a command may run: every folder that an earlier `cd` may have led to. */
export interface CommandPlace {
  readonly request: ToolRequest;
  readonly folders: readonly string[];
  /** Where earlier commands of the line put links and trees. */
  readonly arrivals: Arrivals;
  /** Variables that programs were given so far on the line. */
  readonly exported: Set<string>;
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

/** A question about the network, which a sandbox keeps from commands unless a person opens it. */
export function reaches({ request }: CommandPlace, reason: string): Objection {
  if (request.confinement !== 'confined') return ask(reason);
  return request.network === 'ask' ? { decision: 'ask', reason, needsNetwork: true } : undefined;
}

/** The first refusal, else the first question; with the network if any of the questions is about it. */
export function strictest(objections: Iterable<Objection>): Objection {
  let found: Objection;
  for (const objection of objections) {
    if (objection?.decision === 'deny') return objection;
    if (found !== undefined && objection?.needsNetwork === true && found.needsNetwork !== true) {
      found = { ...objection, reason: `${found.reason} ${objection.reason}` };
    }
    found ??= objection;
  }
  return found;
}
