import { connectHost, type HostConnection, type LineTransport } from './host.ts';
import { followLinks } from './links.ts';

declare function acquireVsCodeApi(): {
  postMessage(line: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
};

/** Connects this page with the editor that shows it, and has its links go there. Call `start` when every listener is there. */
export function connectEditor(): HostConnection & { start(): void } {
  const editor = acquireVsCodeApi();
  const door: LineTransport = {
    send: (line) => editor.postMessage(line),
    keep: (page) => editor.setState(page),
    kept: () => editor.getState(),
    onLine: (listener) => window.addEventListener('message', ({ data }) => listener(data)),
  };
  const host = connectHost(door, reportError);
  followLinks(document, (url) => host.open({ kind: 'link', url }));
  return host;
}
