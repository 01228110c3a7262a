import { createDeferred } from '../base/async.ts';
import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { diagnostic } from '../model/codes.ts';
import type { Ulid } from '../model/id.ts';
import type { CallResult, SessionCall, ToolDescription } from '../model/requests/sessions.ts';
import { type PermitArgs, permitArgsSchema, permitTool } from '../model/sessionTools.ts';
import type { ConsultationTool } from './consultation.ts';
import { Coverage } from './coverage.ts';
import {
  describeMisfit,
  describeTool,
  failed,
  formatRefusal,
  permission,
  permitDescription,
  unknownTool,
} from './toolAnswers.ts';
import type { ToolAnswer, ToolVerdicts } from './toolVerdicts.ts';

export interface ConsultationCallsOptions {
  readonly session: Ulid;
  readonly tools: readonly ConsultationTool[];
  readonly verdicts: ToolVerdicts;
  /** What the gates say of a tool of the harness's own. */
  readonly judge: (request: PermitArgs) => Promise<ToolAnswer>;
  /** Told of every call that was answered, in order and once. */
  readonly onAnswered: (call: SessionCall, result: CallResult) => void;
}

/** A session that calls more often than this goes round in a circle. */
const callsMax = 500;

/**
 * The calls of one consultation: answered one at a time, each once, and none after the tool that ends it. What they do is
 * its asker's; a session that outlives its owner is ended and asked again, so nothing here is on disk.
 */
export class ConsultationCalls {
  readonly #options: ConsultationCallsOptions;
  readonly #answers = new Map<string, Promise<CallResult>>();
  readonly #queue = new SerialQueue();
  readonly #ended = createDeferred<void>();
  readonly #closing = new AbortController();
  #state: 'open' | 'ended' | 'closed' = 'open';

  constructor(options: ConsultationCallsOptions) {
    this.#options = options;
  }

  /** Settles when a tool said that nothing more is wanted. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  tools(): ToolDescription[] {
    return [...this.#options.tools.map(describeTool), permitDescription];
  }

  /** Holds what the session reports against what it was allowed; `folder` is where it runs. */
  coverage(folders: readonly string[]): Coverage {
    const { tools, verdicts } = this.#options;
    return new Coverage({ verdicts, folders, sessionTools: new Set(tools.map(({ name }) => name)) });
  }

  /** A repeated call gets its first answer again, also while it is still looked for. */
  call(call: SessionCall): Promise<CallResult> {
    const { id, tool, args } = call;
    if (tool === permitTool) return this.#permit(args);
    const known = this.#answers.get(id);
    if (known !== undefined) return known;
    if (this.#answers.size >= callsMax) {
      return Promise.resolve(this.#refused('session/finished', `There were ${callsMax} calls; there are no more.`));
    }
    const answer = this.#queue.run(() => this.#answer(call));
    this.#answers.set(id, answer);
    answer.catch(() => this.#answers.delete(id));
    return answer;
  }

  /** Answers what came before, which is told to end, and nothing any more. */
  async close(): Promise<void> {
    this.#state = 'closed';
    this.#closing.abort(new Error('the session is over'));
    await this.#queue.drained();
    await this.#options.verdicts.close();
  }

  /** No person can be asked here, so a call that the gates leave open is denied. */
  async #permit(args: Readonly<Record<string, unknown>>): Promise<CallResult> {
    const parsed = permitArgsSchema.safeParse(args);
    if (!parsed.success) return this.#refused('state/badArguments', describeMisfit(permitTool, parsed.error));
    const { verdicts, judge } = this.#options;
    const answer = await this.#queue.run(() =>
      verdicts.answer(parsed.data, async () => {
        if (this.#state === 'closed') return { decision: 'deny', reason: 'The session is over.' };
        const { decision, reason } = await judge(parsed.data);
        return decision === 'allow' ? { decision } : { decision: 'deny', ...defined({ reason }) };
      }),
    );
    return permission(answer, parsed.data);
  }

  async #answer(call: SessionCall): Promise<CallResult> {
    const { tool: name, args } = call;
    if (this.#state !== 'open') return this.#refused('session/finished', 'The answer was taken; end the session now.');
    const { tools, onAnswered } = this.#options;
    const tool = tools.find((known) => known.name === name);
    const names = tools.map((known) => known.name);
    const result = tool === undefined ? unknownTool(name, names) : await this.#use(tool, args);
    onAnswered(call, result);
    return result;
  }

  async #use(tool: ConsultationTool, args: Readonly<Record<string, unknown>>): Promise<CallResult> {
    const parsed = tool.args.safeParse(withUnderscores(args));
    if (!parsed.success) {
      return this.#refused('state/badArguments', describeMisfit(tool.name, parsed.error));
    }
    try {
      const { text, isError, ends } = await tool.call(parsed.data, this.#closing.signal);
      if (ends === true && this.#state === 'open') this.#state = 'ended';
      if (ends === true) this.#ended.resolve();
      return { text, isError };
    } catch (error) {
      // A refusal is something that the model can act on; anything else is its caller's.
      if (!isRavelError(error)) throw error;
      return failed(formatRefusal(error.diagnostic));
    }
  }

  #refused(code: 'session/finished' | 'state/badArguments', message: string): CallResult {
    return failed(formatRefusal(diagnostic(code, this.#options.session, message)));
  }
}

/**
 * Files of plans write `target-plan` but the tools take `target_plan`: a session that learned the first is understood.
 */
function withUnderscores(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.entries(args).map(([key, value]) => [key.replaceAll('-', '_'), value] as const);
  return { ...Object.fromEntries(named), ...args };
}
