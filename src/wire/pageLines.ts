import type { ClientLine, RequestId } from '../model/protocol.ts';
import type { EditorLine, PageLine, PageRequest } from '../model/webview.ts';
import type { AnswerLine, ApiLine, LineTransport } from './lineTransport.ts';

/**
 * The end of a page: its requests and their answers, among the lines that it exchanges with the editor. The page has an
 * `Api` by this; the other lines are its own. The editor answers with an `ApiConnection` and `toPageAnswer`.
 */
export function pageTransport(page: LineTransport<PageLine, EditorLine>): LineTransport<ClientLine, ApiLine> {
  return {
    send(line) {
      const own = toPageLine(line);
      if (own !== undefined) page.send(own);
    },
    onLine(listener) {
      page.onLine((line) => {
        for (const one of toApiLines(line)) listener(one);
      });
    },
  };
}

/** An answer in the form that pages take. */
export function toPageAnswer(line: AnswerLine): EditorLine {
  const id = pageId(line.id);
  return 'error' in line ? { type: 'error', id, error: line.error } : { type: 'result', id, result: line.result };
}

/** Undefined for `attach` and `detach`: a page has all its events without asking. */
function toPageLine({ id, request, params }: ClientLine): PageLine | undefined {
  if (request === 'attach' || request === 'detach') return undefined;
  if (request === 'cancel') return { type: 'cancel', id: pageId((params as { readonly id: RequestId }).id) };
  return { type: 'request', id: pageId(id), name: request as PageRequest, params };
}

function toApiLines(line: EditorLine): readonly ApiLine[] {
  switch (line.type) {
    case 'result':
      return [{ id: line.id, result: line.result }];
    case 'error':
      return [{ id: line.id, error: line.error }];
    case 'events':
      return line.events.map((event) => ({ event }));
    case 'show':
    case 'opened':
      return [];
  }
}

/** A page counts its requests. */
function pageId(id: RequestId): number {
  return Number(id);
}
