import { t } from '@vscode/l10n';
import { defined } from '../../src/base/defined.ts';
import { capitalized, counted, firstLine, formatBytes } from '../../src/base/text.ts';
import { meaningOf } from '../../src/model/confinement.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { sessionEndText } from '../../src/model/eventText.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import type { Usage } from '../../src/model/usage.ts';
import type { IconName } from '../icons.ts';
import type { MarkRow, PhaseRow, Row, TextRow, Tone, ToolRow } from './rows.ts';

/** What is known of the session as a whole. */
export interface SessionHeader {
  readonly model?: string;
  readonly harness?: string;
  readonly task?: string;
  readonly phase?: string;
  readonly usage?: Usage;
  readonly startedAt?: string;
  readonly givenBytes?: number;
  /** Absent while it runs. */
  readonly ended?: { readonly at: string; readonly durationMs: number };
  readonly calls: number;
  readonly refusals: number;
}

/** A text goes on in the same row up to this many characters, so that no row grows with the session. */
const textLengthMax = 4_000;
/** Calls that are under way at once are few; the answers to more refusals are shown as they came. */
const refusalsMax = 50;

type VerbEvent = Extract<RavelEvent, { type: 'session.verb' }>;
type NewRow = DistributiveOmit<Row, 'key' | 'at'>;
type DistributiveOmit<T, Keys extends PropertyKey> = T extends unknown ? Omit<T, Keys> : never;

/**
 * Folds the events of a session into rows, in the order of the events. A row that changes is replaced by another of the
 * same key in the same place; rows are never removed or moved.
 */
export class SessionRows {
  readonly rows: Row[] = [];
  facts: SessionHeader = { calls: 0, refusals: 0 };
  /** Places of the rows that an event still to come belongs to. */
  readonly #calls = new Map<string, number>();
  /** The call that state verbs are told of: they are applied one at a time, while it runs. */
  #lastCall: number | undefined;
  /** Why calls were refused that have not ended, as rows say it. */
  readonly #refusals = new Set<string>();
  /** What calls did that are not told yet: an owner hears of what a call does before it reads of the call. */
  readonly #early = new Map<string, VerbEvent[]>();

  /** Gives the places of the rows that are new or changed, each once, in order. */
  add(events: readonly RavelEvent[]): number[] {
    const changed = new Set<number>();
    for (const one of events) {
      for (const event of this.#inOrder(one)) {
        const place = this.#add(event);
        if (place !== undefined) changed.add(place);
      }
    }
    return [...changed].sort((a, b) => a - b);
  }

  /** The event, with what came before it too early; nothing if it comes too early itself. */
  #inOrder(event: RavelEvent): readonly RavelEvent[] {
    if (event.type === 'session.verb' && event.callId !== undefined && !this.#calls.has(event.callId)) {
      this.#early.set(event.callId, [...(this.#early.get(event.callId) ?? []), event]);
      return [];
    }
    if (event.type === 'session.output' && event.output.kind === 'toolStarted') {
      const { callId } = event.output;
      const early = this.#early.get(callId) ?? [];
      this.#early.delete(callId);
      return [event, ...early];
    }
    if (event.type !== 'session.ended') return [event];
    // Of these calls nothing is told any more.
    const rest = [...this.#early.values()].flat();
    this.#early.clear();
    return [...rest, event];
  }

  #add(event: RavelEvent): number | undefined {
    switch (event.type) {
      case 'session.output':
        return this.#addOutput(event.at, event.output);
      case 'session.verb':
        return this.#addVerb(event);
      default:
        this.facts = factsAfter(this.facts, event);
        if (event.type === 'session.ended') this.#closeCalls();
        if (event.type === 'gate.judged' && event.outcome !== 'accept') this.#refuse(event.reason);
        return this.#push(event.at, rowOf(event));
    }
  }

  #push(at: string, row: NewRow | undefined): number | undefined {
    if (row === undefined) return undefined;
    this.rows.push({ ...row, key: String(this.rows.length), at } as Row);
    return this.rows.length - 1;
  }

  #addOutput(at: string, output: HarnessOutput): number | undefined {
    switch (output.kind) {
      case 'text':
        return this.#addText(at, output.text);
      case 'toolStarted': {
        const { tool, input, callId } = output;
        const place = this.#push(at, { kind: 'tool', tool, input, state: 'running' });
        if (place !== undefined) this.#calls.set(callId, place);
        this.#lastCall = place;
        this.facts = { ...this.facts, calls: this.facts.calls + 1 };
        return place;
      }
      case 'toolEnded':
        return this.#endCall(output);
      case 'ready':
        this.facts = { ...this.facts, model: output.model };
        return undefined;
      case 'usage':
        this.facts = { ...this.facts, usage: output.usage };
        return undefined;
      case 'result':
        this.facts = { ...this.facts, usage: output.usage };
        return output.isError ? this.#push(at, mark('bad', 'error', firstLine(output.reason))) : undefined;
      case 'retry':
        return this.#push(at, mark('notice', 'sync', t`Try ${output.attempt}: ${firstLine(output.reason)}`));
      case 'warning':
        return this.#push(at, mark('notice', 'warning', firstLine(output.message)));
    }
  }

  #addText(at: string, text: string): number | undefined {
    const place = this.rows.length - 1;
    const last = this.rows[place];
    if (last?.kind !== 'text' || last.text.length + text.length > textLengthMax) {
      return text.trim() === '' ? undefined : this.#push(at, { kind: 'text', text });
    }
    const gap = last.text.endsWith('\n') ? '\n' : '\n\n';
    this.rows[place] = { ...last, text: last.text + gap + text } satisfies TextRow;
    return place;
  }

  #endCall({ callId, ...end }: Extract<HarnessOutput, { kind: 'toolEnded' }>): number | undefined {
    const place = this.#calls.get(callId);
    const row = place === undefined ? undefined : this.rows[place];
    if (place === undefined || row?.kind !== 'tool') return undefined;
    this.#calls.delete(callId);
    const failed = end.isError || (end.exitCode ?? 0) !== 0;
    this.rows[place] = {
      ...row,
      state: failed ? 'failed' : 'done',
      output: end.output,
      ...defined({ exitCode: end.exitCode }),
      ...(failed && this.#isRepeat(end.output) ? { isRepeat: true } : {}),
    } satisfies ToolRow;
    return place;
  }

  #refuse(reason: string | undefined): void {
    const first = reason?.trim().split('\n', 1)[0] ?? '';
    if (first !== '' && this.#refusals.size < refusalsMax) this.#refusals.add(first);
  }

  /** A call that is refused gets the reason as its answer, which came as an event first. */
  #isRepeat(output: string): boolean {
    for (const reason of this.#refusals) if (output.includes(reason)) return this.#refusals.delete(reason);
    return false;
  }

  /** What a verb did stands with the call that asked for it; without one it is a row of its own. */
  #addVerb(event: VerbEvent): number | undefined {
    const called = event.callId === undefined ? this.#lastCall : this.#calls.get(event.callId);
    if (!event.applied) {
      this.facts = { ...this.facts, refusals: this.facts.refusals + 1 };
      this.#refuse(event.summary);
    }
    const text = event.applied ? firstLine(event.summary) : t`${event.verb} refused: ${firstLine(event.summary)}`;
    const row = called === undefined ? undefined : this.rows[called];
    const isNamed = event.callId !== undefined && called !== undefined;
    const isAsked = row?.kind === 'tool' && row.state === 'running' && (isNamed || isCallOf(row.tool, event.verb));
    if (!event.applied || called === undefined || !isAsked) {
      return this.#push(event.at, mark(event.applied ? 'good' : 'bad', event.applied ? 'check' : 'error', text));
    }
    this.rows[called] = { ...row, did: [...(row.did ?? []), text] } satisfies ToolRow;
    return called;
  }

  /** The result of a call that was under way when its session ended is unknown. */
  #closeCalls(): void {
    for (const place of this.#calls.values()) {
      const row = this.rows[place];
      if (row?.kind === 'tool') this.rows[place] = { ...row, state: 'open' };
    }
    this.#calls.clear();
  }
}

/** Whether a tool is the one of a verb, whatever a harness puts before its name. */
function isCallOf(tool: string, verb: string): boolean {
  return tool.endsWith(verb.replace(/[^a-z]+/g, '_'));
}

function factsAfter(facts: SessionHeader, event: RavelEvent): SessionHeader {
  switch (event.type) {
    case 'phase.started':
      return {
        ...facts,
        // The commits after a session are a phase of their own, which it has no part in.
        ...{ phase: facts.phase ?? event.phase, startedAt: facts.startedAt ?? event.at },
        ...defined({ harness: event.harness, task: event.task }),
      };
    case 'session.started':
      return {
        ...facts,
        ...{ harness: event.harness, phase: event.phase, startedAt: facts.startedAt ?? event.at },
        // An owner that takes a session over gives it nothing again.
        ...(event.reattached ? {} : { givenBytes: event.givenBytes }),
      };
    case 'session.ended':
      return {
        ...facts,
        ended: { at: event.at, durationMs: event.durationMs },
        ...defined({ usage: event.usage }),
      };
    case 'gate.judged':
      return event.outcome === 'reject' || event.outcome === 'redirect'
        ? { ...facts, refusals: facts.refusals + 1 }
        : facts;
    default:
      return facts;
  }
}

/** The row of an event that stands for itself; none for what only the header shows. */
function rowOf(event: RavelEvent): NewRow | undefined {
  switch (event.type) {
    case 'phase.started': {
      const details = [event.task === undefined ? undefined : t`task ${event.task}`, event.harness];
      return phase('plain', [event.phase, ...details].filter((part) => part !== undefined).join(' · '));
    }
    case 'phase.ended': {
      const tone: Tone = event.end === 'finished' ? 'good' : event.end === 'waiting' ? 'notice' : 'bad';
      return phase(tone, `${event.phase} ${event.end}`, event.summary.trim());
    }
    case 'session.started':
      return startedRow(event);
    case 'session.ended':
      return endMark(sessionEndText(event));
    case 'gate.judged':
      return verdictRow(event);
    case 'state.merged':
      return mergedRow(event);
    case 'commit.made':
      return mark('good', 'git-commit', `${event.commit.slice(0, 8)} ${event.title}`, event.paths);
    case 'commit.skipped':
      return mark('notice', 'git-commit', t`Not committed: ${event.title}`, [event.reason]);
    case 'session.noted':
      return mark('notice', 'comment', t`Told your note: ${firstLine(event.text)}`, restOf(event.text));
    case 'session.recalled': {
      const { tool, entries } = event;
      const count = counted(entries.length, t('{0} entry'), t('{0} entries'));
      return mark('notice', 'book', t`Given ${count} of the memory after ${tool}`, entries);
    }
    case 'recovered':
      return mark('notice', 'debug-restart', `${event.what} (${event.outcome})`);
    case 'diagnostic':
      return mark(event.diagnostic.severity === 'error' ? 'bad' : 'notice', 'warning', event.diagnostic.message);
    default:
      return undefined;
  }
}

function startedRow(event: Extract<RavelEvent, { type: 'session.started' }>): NewRow {
  const { reattached, givenBytes, givenTokens, confinement } = event;
  const begun = reattached
    ? t('Continued from an earlier owner')
    : t`Fresh session, given ${formatBytes(givenBytes)}, about ${counted(givenTokens, t('{0} token'), t('{0} tokens'))}`;
  const icon = reattached ? 'debug-restart' : 'sparkle';
  if (confinement === undefined) return mark('plain', icon, begun);
  const text = `${begun}, ${confinement.state}`;
  if (confinement.state === 'confined') return mark('plain', icon, text);
  return mark('notice', icon, text, [capitalized(meaningOf(confinement))]);
}

function verdictRow(event: Extract<RavelEvent, { type: 'gate.judged' }>): NewRow | undefined {
  if (event.outcome === 'accept' || event.outcome === 'modify') return undefined;
  const asks = event.outcome === 'needs-approval';
  if (event.call !== undefined) {
    const words = asks ? t('Not allowed without you') : t('Not allowed');
    const text = `${words}: ${event.call}: ${firstLine(event.reason ?? '')}`;
    const row = mark(asks ? 'notice' : 'bad', asks ? 'question' : 'error', text, restOf(event.reason ?? ''));
    return { ...row, verdict: { gate: event.gate, ...defined({ rule: event.rule }) } };
  }
  const about = event.subject === undefined ? '' : ` ${event.subject}`;
  const verdict = asks ? (about === '' ? t('asks you about it') : t`asks you about${about}`) : t`refused${about}`;
  const reason = event.reason === undefined ? '' : `: ${firstLine(event.reason)}`;
  const details = [...restOf(event.reason ?? ''), ...(event.findings ?? [])];
  return mark(asks ? 'notice' : 'bad', asks ? 'question' : 'error', t`Gate ${event.gate} ${verdict}${reason}`, details);
}

function mergedRow({ files, personEdited }: Extract<RavelEvent, { type: 'state.merged' }>): NewRow {
  if (files.length === 0) return mark('plain', 'git-merge', t('No state files changed'));
  const edited = personEdited.length === 0 ? '' : t(', together with your own edits');
  return mark('good', 'git-merge', t`Merged ${files.join(', ')}${edited}`, personEdited);
}

function mark(tone: Tone, icon: IconName, text: string, details: readonly string[] = []): Omit<MarkRow, 'key' | 'at'> {
  return { kind: 'mark', tone, icon, text, ...(details.length === 0 ? {} : { details }) };
}

function phase(tone: Tone, text: string, summary = ''): Omit<PhaseRow, 'key' | 'at'> {
  return { kind: 'phase', tone, text, ...(summary === '' ? {} : { summary }) };
}

/** The whole text if its first line does not say all. */
function restOf(text: string): readonly string[] {
  return firstLine(text).endsWith(' …') ? [text] : [];
}

function endMark(how: string | undefined): ReturnType<typeof mark> | undefined {
  return how === undefined ? undefined : mark('bad', 'error', capitalized(how));
}
