import type * as z from 'zod';
import { createDeferred } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError, type RavelError } from '../../base/errors.ts';
import { visibleJson } from '../../base/fence.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import type { Coverage } from '../../harness/coverage.ts';
import { describeMisfit, failed, formatRefusal, recalled, unknownTool } from '../../harness/toolAnswers.ts';
import type { ToolAnswer } from '../../harness/toolVerdicts.ts';
import { diagnostic, failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import type { DreamMap } from '../../model/memory.ts';
import type { CallResult, ToolDescription } from '../../model/requests/sessions.ts';
import {
  finishArgsSchema,
  finishTool,
  type PermitArgs,
  permitArgsSchema,
  permitTool,
  recallTool,
} from '../../model/sessionTools.ts';
import { isKnowledgeVerb, type VerbName, verbFromTool, verbs } from '../../model/verbs.ts';
import {
  type CallJournal,
  type CallRecord,
  type FinishVerdict,
  isDecisive,
  noEdits,
  openCallJournal,
  type StagedEdits,
  verdictIn,
} from '../proposals/callJournal.ts';
import { emitFor, timestamp } from '../services.ts';
import { loadStaged } from '../transaction.ts';
import { applyVerb } from '../verbs/applyVerb.ts';
import type { VerbContext } from '../verbs/verbContext.ts';
import { askTool, replyTool } from './askedQuestion.ts';
import { type AskingSession, askInCall } from './askInCall.ts';
import { formatFinish } from './callAnswers.ts';
import { earlierMessages, sends } from './earlierMessages.ts';
import { judgeFinish, secretsIn } from './finishing.ts';
import { knowledgeInCall } from './knowledgeInCall.ts';
import { LaterMemory } from './laterMemory.ts';
import { recallInCall } from './recallInCall.ts';
import { replyInCall } from './replyInCall.ts';
import { type Note, notesUnread, SessionNotes, withNotes } from './sessionNotes.ts';
import type { ActiveSessionParts } from './sessionParts.ts';
import { toolsOfPhase } from './sessionTools.ts';
import { noteReading, ShownRecord } from './shownRecord.ts';
import { revertSource } from './sourceRevert.ts';
import { ToolPermissions } from './toolPermissions.ts';

/** What is on disk of a session's calls. */
interface KeptOfSession {
  readonly journal: CallJournal;
  readonly notes: SessionNotes;
  readonly permissions: ToolPermissions;
  readonly later: LaterMemory;
  readonly shown: ShownRecord;
}

/** How the journal and the transcript name what a person's editor did. */
const manualTool = 'edit';

/**
 * A session as its own calls see it: they are answered one at a time, each exactly once. It owns the call journal and
 * nothing else; the process belongs to the session host.
 */
export class ActiveSession {
  readonly #parts: ActiveSessionParts;
  readonly #journal: CallJournal;
  readonly #notes: SessionNotes;
  readonly #permissions: ToolPermissions;
  readonly #later: LaterMemory;
  readonly #shown: ShownRecord;
  #closed = false;
  readonly #queue = new SerialQueue();
  /** How the outputs of the session name the calls that are being answered. */
  readonly #callIds = new Map<string, string>();
  /** Ends what a call may wait for. */
  readonly #closing = new AbortController();
  readonly #finished = createDeferred<FinishVerdict>();
  /** Calls that wait for the answer to a question. */
  readonly #asking = new Set<Promise<unknown>>();

  private constructor(parts: ActiveSessionParts, kept: KeptOfSession) {
    this.#parts = parts;
    this.#journal = kept.journal;
    this.#notes = kept.notes;
    this.#permissions = kept.permissions;
    this.#later = kept.later;
    this.#shown = kept.shown;
    const verdict = this.verdict;
    if (verdict !== undefined) this.#finished.resolve(verdict);
  }

  static async open(parts: ActiveSessionParts): Promise<ActiveSession> {
    const { services, paths, transaction } = parts;
    const directory = services.layout.session(transaction.session);
    const notes = await SessionNotes.open(services.disk, directory);
    const permissions = await ToolPermissions.open(parts);
    const journal = await openCallJournal(services.disk, paths, directory);
    const later = await LaterMemory.open(parts);
    const shown = await ShownRecord.open(services.disk, directory);
    return new ActiveSession(parts, { journal, notes, permissions, later, shown });
  }

  /** Settles when the session's phase was decided, one way or the other. */
  get finished(): Promise<FinishVerdict> {
    return this.#finished.promise;
  }

  /** The verdict that decided the phase; undefined while the session may still go on. */
  get verdict(): FinishVerdict | undefined {
    return verdictIn(this.#journal.records);
  }

  get dreamMap(): DreamMap {
    return this.#journal.records.findLast((record) => record.dreamMap !== undefined)?.dreamMap ?? {};
  }

  get calls(): readonly CallRecord[] {
    return this.#journal.records;
  }

  tools(): ToolDescription[] {
    const { phase, harness } = this.#parts.transaction;
    return toolsOfPhase(phase, harness);
  }

  /** The verdict once every call that came before has been answered; undefined when none of them decided. */
  decided(): Promise<FinishVerdict | undefined> {
    return this.#queue.run(() => this.verdict);
  }

  /** Answers what came before, then ends. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    await Promise.allSettled(this.#asking);
    await this.#queue.drained();
    await this.#journal.close();
    await this.#permissions.close();
    await this.#notes.close();
    await this.#later.close();
    await this.#shown.close();
  }

  /** Keeps a note for the next answer, once; false if the session takes none any more. Durable once it resolves. */
  note(note: Note): Promise<boolean> {
    return this.#queue.run(async () => {
      if (this.#notes.has(note.id)) return true;
      if (this.#closed || this.verdict !== undefined) return false;
      await this.#notes.add(note, this.#parts.services.newUlid());
      return true;
    });
  }

  /** Answers one call; a repeated one gets its first answer again. `callId` is how the session's outputs name it. */
  call(call: string, tool: string, args: Readonly<Record<string, unknown>>, callId?: string): Promise<CallResult> {
    if (callId === undefined) return this.#answer(call, tool, args);
    this.#callIds.set(call, callId);
    return this.#answer(call, tool, args).finally(() => this.#callIds.delete(call));
  }

  #answer(call: string, tool: string, args: Readonly<Record<string, unknown>>): Promise<CallResult> {
    const { ask, reply } = this.#parts;
    if (tool === recallTool) return this.#recall(args);
    if (ask !== undefined && tool === askTool && args['defer'] !== true) {
      return this.#asked(askInCall(this.#asker(call, tool), ask, call, args));
    }
    if (
      reply !== undefined &&
      tool === replyTool &&
      verbs['message/reply'].phases.includes(this.#parts.transaction.phase)
    ) {
      return this.#asked(replyInCall(this.#asker(call, tool), reply, call, args));
    }
    return this.#callInTurn(call, tool, args);
  }

  #asked(asked: Promise<CallResult>): Promise<CallResult> {
    this.#asking.add(asked);
    return asked.finally(() => this.#asking.delete(asked));
  }

  /** No call is held up by another one here. */
  async #recall(args: Readonly<Record<string, unknown>>): Promise<CallResult> {
    if (this.#closed || this.verdict !== undefined) return recalled('');
    return recallInCall(this.#later, this.#parts.services.log, args);
  }

  /** This session as a call that asks sees it. */
  #asker(call: string, tool: string): AskingSession {
    const answered = () => this.#journal.find(call)?.result;
    return {
      transaction: this.#parts.transaction,
      closing: this.#closing.signal,
      inTurn: (work) => this.#queue.run(async () => answered() ?? work()),
      context: (id) => this.#context('message/ask', () => id),
      isOver: () => this.verdict !== undefined,
      secretsIn: (name, text) => secretsIn(this.#parts.services, name, text),
      refuse: (error) => this.#refuse(call, tool, error),
      record: async (record, edits, summary) => {
        await this.#journal.settle();
        const result = await this.#record({ call, ...record }, edits);
        this.#emitVerb(call, record.tool, true, summary);
        return result;
      },
    };
  }

  #callInTurn(call: string, tool: string, args: Readonly<Record<string, unknown>>): Promise<CallResult> {
    return this.#queue.run(async () => {
      const known = this.#journal.find(call);
      if (known !== undefined) return known.result;
      const result = await this.#answered(call, tool, async () => {
        await this.#journal.settle();
        return this.#dispatch(call, tool, args);
      });
      const addsNotes = tool !== permitTool && this.#journal.find(call) === undefined && this.#undelivered().length > 0;
      if (!addsNotes) return result;
      return this.#answered(call, tool, async () => {
        await this.#journal.settle();
        return this.#record({ call, tool, args, result }, noEdits);
      });
    });
  }

  /** The gates' verdict on a tool that the session is about to use; the person at its terminal decides the rest. */
  judge(request: PermitArgs): Promise<ToolAnswer> {
    return this.#queue.run(() => this.#permissions.judge(request, this.verdict !== undefined));
  }

  /** Takes back what was granted to a call that did not run. */
  withdraw(call: string): Promise<void> {
    return this.#permissions.withdraw(call);
  }

  /** Holds what the session reports against what it was allowed. */
  coverage(): Promise<Coverage> {
    return this.#permissions.coverage(this.tools().map(({ name }) => name));
  }

  async #answered(call: string, tool: string, work: () => Promise<CallResult>): Promise<CallResult> {
    try {
      return await work();
    } catch (error) {
      if (!isRavelError(error)) throw error;
      return this.#refuse(call, tool, error);
    }
  }

  #undelivered(): readonly Note[] {
    return this.#notes.undelivered(this.#journal.records);
  }

  /** Journals a call with its answer, which also carries the notes that came meanwhile. */
  async #record(record: CallRecord, edits: StagedEdits): Promise<CallResult> {
    const notes = this.#undelivered().filter(({ id }) => record.notes?.includes(id) !== true);
    const whole = withNotes(record, notes);
    await this.#journal.commit(whole, edits);
    const { services, transaction } = this.#parts;
    const { plan, session } = transaction;
    for (const { id, text } of notes) emitFor(services, plan, { type: 'session.noted', session, note: id, text });
    return whole.result;
  }

  /** Takes what a person edited into the staged copies; each file is a line of the transcript. */
  takeEdits(call: string, edits: StagedEdits): Promise<void> {
    return this.#queue.run(async () => {
      const { session } = this.#parts.transaction;
      if (this.verdict !== undefined) throw failure('session/finished', session, 'The phase is over already.');
      await this.#journal.settle();
      if (edits.size === 0) return;
      const files = [...edits.keys()];
      const result = { text: `edited ${files.join(', ')}`, isError: false };
      await this.#journal.commit({ call, tool: manualTool, args: { files }, result }, edits);
      for (const file of files) this.#emitVerb(call, manualTool, true, `edited ${file}`);
    });
  }

  async #dispatch(call: string, tool: string, args: Readonly<Record<string, unknown>>): Promise<CallResult> {
    if (tool === permitTool && this.#parts.transaction.harness !== 'person') {
      const request = this.#parse(permitTool, permitArgsSchema, args);
      return this.#permissions.permit(request, this.verdict !== undefined, this.#closing.signal);
    }
    if (this.verdict !== undefined) {
      const { session } = this.#parts.transaction;
      return failed(formatRefusal(diagnostic('session/finished', session, 'The phase is over; nothing was changed.')));
    }
    if (tool === finishTool) return this.#finish(call, args);
    const verb = verbFromTool(tool);
    if (verb === undefined) {
      return unknownTool(
        tool,
        this.tools().map((known) => known.name),
      );
    }
    this.#assertRoom();
    return this.#verb(call, verb, args);
  }

  /** What a session calls is kept in memory and on disk; its program's output, which has a limit, need not have it all. */
  #assertRoom(): void {
    const { services, transaction } = this.#parts;
    const mib = services.settings.limits['session-output-mib'];
    if (this.#journal.bytes <= mib * 1024 * 1024) return;
    throw failure('session/callsFull', transaction.session, `The session's calls have more than ${mib} MiB together.`);
  }

  async #verb(call: string, verb: VerbName, args: Readonly<Record<string, unknown>>): Promise<CallResult> {
    const { services, transaction, location } = this.#parts;
    if (verb === 'source/revert' && verbs[verb].phases.some((phase) => phase === transaction.phase)) {
      const summary = await revertSource(services, location, this.#parse(verb, verbs[verb].args, args).path);
      return this.#commit({ call, verb, args, summary, result: { reverted: true } }, noEdits);
    }
    const { knowledge } = this.#parts;
    if (
      knowledge !== undefined &&
      isKnowledgeVerb(verb) &&
      verbs[verb].phases.some((phase) => phase === transaction.phase)
    ) {
      const { calls } = this;
      const session = {
        ...this.#parts,
        knowledge: await knowledge(),
        shown: this.#shown,
        calls,
        closing: this.#closing.signal,
      };
      const end = await knowledgeInCall(session, call, verb, args);
      return 'read' in end ? { text: end.read, isError: false } : this.#commit({ call, verb, args, ...end }, noEdits);
    }
    const effect = applyVerb(verb, args, await this.#context(verb, services.newUlid));
    if ('reads' in verbs[verb]) {
      await this.#later.noteRead(effect.readWhole ?? []);
      await noteReading(this.#shown, this.#parts, verb, effect);
      // JSON keeps what others wrote within its quotes; what cannot be seen is written by its code.
      return { text: visibleJson(JSON.stringify(effect.result, undefined, 2)), isError: false };
    }
    const { summary, result, edits, dreamMap } = effect;
    return this.#commit({ call, verb, args, summary, result, ...(dreamMap && { dreamMap }) }, edits);
  }

  async #context(verb: VerbName, newUlid: () => Ulid): Promise<VerbContext> {
    const { services, transaction, paths } = this.#parts;
    const { plan: subject, phase, session, task } = transaction;
    const texts = await loadStaged(services.disk, paths, phase);
    const now = timestamp(services);
    return {
      ...{ texts, subject, phase, now, session, newUlid, dreamMap: this.dreamMap },
      ...defined({ task }),
      ...(sends(verb) && (await earlierMessages(services, this.#parts))),
    };
  }

  async #commit(
    done: {
      readonly call: string;
      readonly verb: VerbName;
      readonly args: Readonly<Record<string, unknown>>;
      readonly summary: string;
      readonly result: unknown;
      readonly dreamMap?: DreamMap;
    },
    edits: StagedEdits,
  ): Promise<CallResult> {
    const { call, verb, args, summary, dreamMap } = done;
    const result = { text: `${summary}\n${JSON.stringify(done.result)}`, isError: false };
    const answer = await this.#record({ call, tool: verb, verb, args, result, ...(dreamMap && { dreamMap }) }, edits);
    this.#emitVerb(call, verb, true, summary);
    return answer;
  }

  #parse<T>(tool: string, schema: z.ZodType<T>, args: Readonly<Record<string, unknown>>): T {
    const parsed = schema.safeParse(args);
    if (parsed.success) return parsed.data;
    throw failure('state/badArguments', this.#parts.transaction.plan, describeMisfit(tool, parsed.error));
  }

  #refuse(call: string, tool: string, error: RavelError): CallResult {
    this.#emitVerb(call, verbFromTool(tool) ?? tool, false, error.message);
    return failed(formatRefusal(error.diagnostic));
  }

  #emitVerb(call: string, verb: string, applied: boolean, summary: string): void {
    const { services, transaction } = this.#parts;
    const { plan, session } = transaction;
    const callId = this.#callIds.get(call);
    emitFor(services, plan, { type: 'session.verb', session, verb, applied, summary, ...defined({ callId }) });
  }

  async #finish(call: string, args: Readonly<Record<string, unknown>>): Promise<CallResult> {
    const finish = this.#parse(finishTool, finishArgsSchema, args);
    if (this.#undelivered().length > 0) {
      return this.#record({ call, tool: finishTool, args, result: failed(notesUnread) }, noEdits);
    }
    const { verdict, edits } = await judgeFinish(
      { ...this.#parts, calls: this.calls, dreamMap: this.dreamMap },
      finish,
    );
    const result = { text: formatFinish(verdict), isError: verdict.kind === 'refused' || verdict.kind === 'failed' };
    await this.#journal.commit({ call, tool: finishTool, args, result, finish: verdict }, edits);
    if (isDecisive(verdict)) this.#finished.resolve(verdict);
    return result;
  }
}
