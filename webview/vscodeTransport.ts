import { Emitter } from '../src/base/emitter.ts';
import { type EditorLine, toEditorLine } from '../src/model/webview.ts';
import { connectHost, type HostConnection, type PageTransport } from './host.ts';
import { followLinks } from './links.ts';

declare function acquireVsCodeApi(): {
  postMessage(line: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
};

/** Connects this page with the editor that shows it, and has its links go there. Call `start` when every listener is there. */
export function connectEditor(): HostConnection & { start(): void } {
  const editor = acquireVsCodeApi();
  const lines = new Emitter<EditorLine>(reportError);
  window.addEventListener('message', ({ data }) => {
    const line = toEditorLine(data);
    if (line !== undefined) lines.emit(line);
  });
  const transport: PageTransport = {
    send: (line) => editor.postMessage(line),
    keep: (page) => editor.setState(page),
    kept: () => editor.getState(),
    onLine: (listener) => void lines.event(listener),
  };
  const host = connectHost(transport, reportError);
  followLinks(document, (url) => host.open({ kind: 'link', url }));
  return host;
}
