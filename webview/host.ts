import type { Disposable } from '../src/base/disposable.ts';
import { Emitter } from '../src/base/emitter.ts';
import {
  type EditorLine,
  type KeptPage,
  keptDrafts,
  type OpenTarget,
  type PageApi,
  type PageLine,
  type PageView,
  pageProtocol,
  type WindowState,
} from '../src/model/webview.ts';
import { ApiClient } from '../src/wire/apiClient.ts';
import type { LineTransport } from '../src/wire/lineTransport.ts';
import { pageTransport } from '../src/wire/pageLines.ts';
import { DraftBook } from './drafts.ts';

/** The editor's side, as a page holds it: the Api, and what only an editor can do. */
export interface HostConnection {
  readonly api: PageApi;
  /** Has the editor open something; it says itself if that fails. */
  open(target: OpenTarget): void;
  /** What stands in the fields of this page and was not sent: it outlives tabs, the page and the window. */
  readonly drafts: DraftBook;
  /** Tells the editor what is shown now, so that a reload comes back to it. */
  keepView(view: PageView): void;
  readonly onShow: (listener: (shown: { readonly view: PageView; readonly window: WindowState }) => void) => Disposable;
  /** Events may be missing before this: take a new snapshot. */
  readonly onOpened: (listener: (window: WindowState) => void) => Disposable;
}

/** The way to the editor; a test has another one. */
export interface PageTransport extends LineTransport<PageLine, EditorLine> {
  /** Keeps what is shown and was typed, for a window that is loaded again. */
  keep(page: KeptPage): void;
  /** What was kept last; undefined in a page that is new. */
  kept(): unknown;
}

/** Connects a page with the editor around it. Call `start` on it when every listener is there. */
export function connectHost(
  transport: PageTransport,
  onError: (error: unknown) => void,
): HostConnection & { start(): void } {
  const shows = new Emitter<{ view: PageView; window: WindowState }>(onError);
  const opens = new Emitter<WindowState>(onError);
  const { api } = new ApiClient(pageTransport(transport), { onError });
  const drafts = new DraftBook((key, text) => {
    keep();
    transport.send({ type: 'draft', key, text });
  });
  let shown: PageView | undefined;
  transport.onLine(take);

  return {
    api,
    open: (target) => transport.send({ type: 'open', target }),
    drafts,
    keepView(view) {
      shown = view;
      keep();
      transport.send({ type: 'view', view });
    },
    onShow: shows.event,
    onOpened: opens.event,
    start: () => transport.send({ type: 'ready', protocol: pageProtocol }),
  };

  function take(line: EditorLine): void {
    switch (line.type) {
      case 'show':
        // The page itself knows what was typed last: what it told may not have arrived when the window went.
        if (shown === undefined) drafts.restore(keptDrafts(transport.kept()) ?? line.drafts);
        shown = line.view;
        keep();
        shows.emit(line);
        return;
      case 'opened':
        opens.emit(line.window);
        return;
      case 'events':
      case 'result':
      case 'error':
        return;
    }
  }

  function keep(): void {
    if (shown !== undefined) transport.keep({ ...shown, drafts: drafts.all });
  }
}
