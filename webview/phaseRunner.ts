import '@lit-labs/virtualizer';
import { systemClock } from '../src/base/clock.ts';
import { RavelChart } from './charts.ts';
import { connectHost, type LineDoor } from './host.ts';
import { followLinks } from './links.ts';
import { RavelRunner } from './runner.ts';
import { RavelHeader } from './runnerHeader.ts';
import { RavelQuestion } from './session/questionCard.ts';
import { RavelReplay } from './session/replayBar.ts';
import { RavelRows } from './session/rowList.ts';
import { RavelSession } from './session/sessionView.ts';
import { RavelBacklog } from './tabs/backlog.ts';
import { RavelChanges } from './tabs/changes.ts';
import { RavelGiven } from './tabs/given.ts';
import { RavelHistory } from './tabs/history.ts';
import { RavelMemory } from './tabs/memory.ts';
import { RavelReceived } from './tabs/received.ts';
import { RavelTask } from './tabs/task.ts';
import { registerControls } from './toolkit.ts';

declare function acquireVsCodeApi(): { postMessage(line: unknown): void; setState(state: unknown): void };

registerControls();
const elements = {
  'ravel-backlog': RavelBacklog,
  'ravel-changes': RavelChanges,
  'ravel-chart': RavelChart,
  'ravel-given': RavelGiven,
  'ravel-header': RavelHeader,
  'ravel-history': RavelHistory,
  'ravel-memory': RavelMemory,
  'ravel-question': RavelQuestion,
  'ravel-received': RavelReceived,
  'ravel-replay': RavelReplay,
  'ravel-rows': RavelRows,
  'ravel-runner': RavelRunner,
  'ravel-session': RavelSession,
  'ravel-task': RavelTask,
};
for (const [name, element] of Object.entries(elements)) customElements.define(name, element);

const editor = acquireVsCodeApi();
const door: LineDoor = {
  send: (line) => editor.postMessage(line),
  keep: (view) => editor.setState(view),
  onLine: (listener) => window.addEventListener('message', ({ data }) => listener(data)),
};
const host = connectHost(door, reportError);
followLinks(document, (url) => host.open({ kind: 'link', url }));
const runner = Object.assign(new RavelRunner(), { host, clock: systemClock });
// The page is this one element, which is what a screen reader calls its main part.
runner.setAttribute('role', 'main');
document.body.append(runner);
host.start();
