import { connectHost, type LineDoor } from './host.ts';
import { RavelBacklog } from './tabs/backlog.ts';
import { RavelChanges } from './tabs/changes.ts';
import { RavelGiven } from './tabs/given.ts';
import { RavelHistory } from './tabs/history.ts';
import { RavelMemory } from './tabs/memory.ts';
import { registerControls } from './toolkit.ts';

declare function acquireVsCodeApi(): { postMessage(line: unknown): void };

registerControls();
customElements.define('ravel-given', RavelGiven);
customElements.define('ravel-changes', RavelChanges);
customElements.define('ravel-history', RavelHistory);
customElements.define('ravel-backlog', RavelBacklog);
customElements.define('ravel-memory', RavelMemory);

const editor = acquireVsCodeApi();
const door: LineDoor = {
  send: (line) => editor.postMessage(line),
  onLine: (listener) => window.addEventListener('message', ({ data }) => listener(data)),
};
connectHost(door, reportError).start();
