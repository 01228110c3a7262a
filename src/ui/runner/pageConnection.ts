import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Diagnostic, isRavelError, messageOf } from '../../base/errors.ts';
import { beginning } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import type { Drafts } from '../../model/drafts.ts';
import type { RavelEvent } from '../../model/event.ts';
import { outlivesOwner } from '../../model/lostOwner.ts';
import type { Api } from '../../model/protocol.ts';
import { isReadOnly } from '../../model/requestKinds.ts';
import {
  type EditorLine,
  foreignParameter,
  isRunnerView,
  type OpenTarget,
  type PageLine,
  type PageRequest,
  type PageView,
  pageProtocol,
  toPageLine,
  type WindowState,
} from '../../model/webview.ts';
import { ApiConnection } from '../../wire/apiConnection.ts';
import { toPageAnswer } from '../../wire/pageLines.ts';

export interface ConnectionParts {
  readonly api: Api;
  readonly clock: Clock;
  /** Resolves once the page has the line; false if there is no page. */
  readonly send: (line: EditorLine) => PromiseLike<boolean>;
  readonly open: (target: OpenTarget) => void;
  /** Throws if this window may change nothing. */
  readonly requireTrust: () => void;
  readonly windowState: () => WindowState;
  /** What was typed into pages and not sent, for whichever page shows it next. */
  readonly drafts: KeptDrafts;
  /** Takes a failure that no page is left to show. */
  readonly onLateFailure: (error: unknown) => void;
  readonly log: { warn(message: string): void };
}

export interface KeptDrafts {
  readonly all: Drafts;
  set(key: string, text: string): void;
}

/** Events wait this long for others to go with them. */
export const batchMs = 40;
/** More than these do not wait for a page that is slow: it reads the transcript on instead. */
export const waitingMax = 20_000;

/**
 * The editor's end of a page. A page that is hidden is gone, and the next one asks for everything again: each has its own
 * requests, and hears nothing of those of the page before it.
 */
export class PageConnection implements Disposable {
  readonly #parts: ConnectionParts;
  readonly #subscription: Disposable;
  #view: PageView;
  /** The requests of the page that is there; undefined while there is none. */
  #page: ApiConnection | undefined;
  #waiting: RavelEvent[] = [];
  #hasLost = false;
  #isSending = false;
  #timer: Disposable | undefined;

  constructor(view: PageView, parts: ConnectionParts) {
    this.#view = view;
    this.#parts = parts;
    this.#subscription = parts.api.onEvent((event) => this.#onEvent(event));
  }

  /** What the page shows, or the next one will. */
  get view(): PageView {
    return this.#view;
  }

  /** Shows something else in the page, or in the next one. */
  show(view: PageView): void {
    this.#view = view;
    if (this.#page !== undefined) this.#show(view);
  }

  /** Events may be missing, or the window may do other things than before. */
  reopen(): void {
    if (this.#page !== undefined) this.#send({ type: 'opened', window: this.#parts.windowState() });
  }

  /** Takes any value from the page; one that is not a line of our protocol goes to the log and has no other effect. */
  take(value: unknown): void {
    const line = toPageLine(value);
    if (line === undefined) this.#parts.log.warn('A page sent an unknown line.');
    else this.#takeLine(line);
  }

  /** The page is gone. */
  leave(): void {
    this.#page?.leave();
    this.#page = undefined;
    this.#waiting = [];
    this.#hasLost = false;
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  dispose(): void {
    this.leave();
    this.#subscription.dispose();
  }

  #takeLine(line: PageLine): void {
    switch (line.type) {
      case 'ready':
        this.#begin(line.protocol);
        return;
      case 'request':
        this.#page?.answer({ id: line.id, request: line.name, params: line.params }).catch(this.#parts.onLateFailure);
        return;
      case 'cancel':
        this.#page?.cancel(line.id);
        return;
      case 'open':
        this.#parts.open(line.target);
        return;
      case 'view':
        this.#view = followed(this.#view, line.view);
        return;
      case 'draft':
        this.#parts.drafts.set(line.key, line.text);
        return;
    }
  }

  #begin(protocol: number): void {
    this.leave();
    if (protocol !== pageProtocol) {
      this.#parts.log.warn(`A page speaks version ${protocol}, and this extension version ${pageProtocol}.`);
      return;
    }
    this.#page = new ApiConnection({
      send: (answer) => this.#send(toPageAnswer(answer)),
      // A line of a page names one of its requests, or is not taken.
      ask: (name, params, signal) => this.#ask(name as PageRequest, params, signal),
      diagnosticOf,
      onUnheard: (error, name) => {
        if (!outlivesOwner(name, error)) this.#parts.onLateFailure(error);
      },
    });
    this.#show(this.#view);
  }

  #show(view: PageView): void {
    const { drafts, windowState } = this.#parts;
    this.#send({ type: 'show', view, window: windowState(), drafts: drafts.all });
  }

  async #ask(name: PageRequest, params: unknown, signal: AbortSignal): Promise<unknown> {
    const foreign = foreignParameter(name, params);
    if (foreign !== undefined) {
      throw failure('server/badParams', name, `A page cannot give "${beginning(foreign, 100)}" for "${name}".`);
    }
    if (!isReadOnly(name, params)) this.#parts.requireTrust();
    // Their values are checked by the owner, as those of every client are.
    return this.#parts.api.request(name, params as never, signal);
  }

  #onEvent(event: RavelEvent): void {
    if (this.#page === undefined || !concerns(this.#view, event)) return;
    if (this.#waiting.length >= waitingMax) {
      this.#waiting = [];
      this.#hasLost = true;
    }
    if (!this.#hasLost) this.#waiting.push(event);
    this.#timer ??= this.#parts.clock.schedule(batchMs, () => this.#flush());
  }

  /** One batch is on its way at a time; what comes meanwhile waits for it. */
  #flush(): void {
    this.#timer = undefined;
    if (this.#page === undefined || this.#isSending) return;
    const line: EditorLine = this.#hasLost
      ? { type: 'opened', window: this.#parts.windowState() }
      : { type: 'events', events: this.#waiting };
    this.#waiting = [];
    this.#hasLost = false;
    this.#isSending = true;
    const done = () => {
      this.#isSending = false;
      if (this.#waiting.length > 0 || this.#hasLost) this.#flush();
    };
    this.#parts.send(line).then(done, done);
  }

  /** Events that came before stay before. */
  #send(line: EditorLine): void {
    if (this.#waiting.length > 0 && !this.#isSending) this.#flush();
    this.#parts.send(line).then(undefined, this.#parts.onLateFailure);
  }
}

/** What a page says that it shows now; what its panel is about stays the same. */
function followed(shown: PageView, fromPage: PageView): PageView {
  if (isRunnerView(shown)) return isRunnerView(fromPage) ? { ...fromPage, plan: shown.plan } : shown;
  return !isRunnerView(fromPage) && fromPage.page === shown.page ? fromPage : shown;
}

/** A page of a plan hears of it, and of the vault as a whole; another page hears of the messages and questions of all. */
function concerns(view: PageView, event: RavelEvent): boolean {
  if (!isRunnerView(view)) return event.actor === 'vault' || /^(?:message|approval)\./.test(event.type);
  const { plan, session } = view;
  return event.actor === plan || event.actor === 'vault' || ('session' in event && event.session === session);
}

function diagnosticOf(error: unknown, subject: string): Diagnostic {
  if (isRavelError(error)) return error.diagnostic;
  return { code: 'internal', severity: 'error', message: messageOf(error), subject };
}
