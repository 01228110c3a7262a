import type { Disposable } from '../src/base/disposable.ts';
import { Emitter } from '../src/base/emitter.ts';
import { RavelError } from '../src/base/errors.ts';
import type { RavelEvent } from '../src/model/event.ts';
import {
  type EditorLine,
  type KeptPage,
  keptDrafts,
  type OpenTarget,
  type PageApi,
  type PageLine,
  type PageView,
  pageProtocol,
  toEditorLine,
  type WindowState,
} from '../src/model/webview.ts';
import { DraftBook } from './drafts.ts';

/** The editor's side, as a page holds it: the Api, and what only an editor can do. */
export interface HostConnection {
  readonly api: PageApi;
  /** Has the editor open something; it says itself where that fails. */
  open(target: OpenTarget): void;
  /** What stands in the fields of this page and was not sent: it outlives tabs, the page and the window. */
  readonly drafts: DraftBook;
  /** Tells the editor what is shown now, so that a reload comes back to it. */
  keepView(view: PageView): void;
  readonly onShow: (listener: (shown: { readonly view: PageView; readonly window: WindowState }) => void) => Disposable;
  /** Events may be missing before this: take a new snapshot. */
  readonly onOpened: (listener: (window: WindowState) => void) => Disposable;
}

/** The two ways of a line: a test has others than the editor. */
export interface LineTransport {
  send(line: PageLine): void;
  onLine(listener: (line: unknown) => void): void;
  /** Keeps what is shown and was typed, for a window that is loaded again. */
  keep(page: KeptPage): void;
  /** What was kept last; undefined in a page that is new. */
  kept(): unknown;
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Connects a page with the editor around it. Call `start` on it when every listener is there. */
export function connectHost(
  door: LineTransport,
  onError: (error: unknown) => void,
): HostConnection & { start(): void } {
  const shows = new Emitter<{ view: PageView; window: WindowState }>(onError);
  const opens = new Emitter<WindowState>(onError);
  const events = new Emitter<RavelEvent>(onError);
  const waiting = new Map<number, Waiting>();
  const drafts = new DraftBook((key, text) => {
    keep();
    door.send({ type: 'draft', key, text });
  });
  let shown: PageView | undefined;
  let lastId = 0;

  door.onLine((value) => {
    const line = toEditorLine(value);
    if (line !== undefined) take(line);
  });

  return {
    api: {
      onEvent: events.event,
      request(name, params, signal) {
        if (signal?.aborted) return Promise.reject(signal.reason);
        const id = ++lastId;
        const answer = new Promise<never>((resolve, reject) => waiting.set(id, { resolve, reject }));
        const cancel = () => door.send({ type: 'cancel', id });
        signal?.addEventListener('abort', cancel, { once: true });
        door.send({ type: 'request', id, name, params });
        return answer.finally(() => signal?.removeEventListener('abort', cancel));
      },
    },
    open: (target) => door.send({ type: 'open', target }),
    drafts,
    keepView(view) {
      shown = view;
      keep();
      door.send({ type: 'view', view });
    },
    onShow: shows.event,
    onOpened: opens.event,
    start: () => door.send({ type: 'ready', protocol: pageProtocol }),
  };

  function take(line: EditorLine): void {
    switch (line.type) {
      case 'show':
        // The page itself knows what was typed last: what it told may not have arrived when the window went.
        if (shown === undefined) drafts.restore(keptDrafts(door.kept()) ?? line.drafts);
        shown = line.view;
        keep();
        shows.emit(line);
        return;
      case 'opened':
        opens.emit(line.window);
        return;
      case 'events':
        for (const event of line.events) events.emit(event);
        return;
      case 'result':
        settle(line.id)?.resolve(line.result as never);
        return;
      case 'error':
        settle(line.id)?.reject(new RavelError(line.error));
        return;
    }
  }

  function keep(): void {
    if (shown !== undefined) door.keep({ ...shown, drafts: drafts.all });
  }

  function settle(id: number): Waiting | undefined {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  }
}
