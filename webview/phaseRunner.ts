// Comes first: tables of texts are made while their modules load.
import './loadTexts.ts';
import '@lit-labs/virtualizer';
import { RavelChart } from './charts.ts';
import { RavelRunner } from './runner.ts';
import { RavelHeader } from './runnerHeader.ts';
import { RavelQuestion } from './session/questionCard.ts';
import { RavelReplay } from './session/replayBar.ts';
import { RavelRows } from './session/rowList.ts';
import { RavelSession } from './session/sessionView.ts';
import { startPage } from './startPage.ts';
import { RavelBacklog } from './tabs/backlog.ts';
import { RavelChanges } from './tabs/changes.ts';
import { RavelGiven } from './tabs/given.ts';
import { RavelHistory } from './tabs/history.ts';
import { RavelMemory } from './tabs/memory.ts';
import { RavelReceived } from './tabs/received.ts';
import { RavelSnapshots } from './tabs/snapshots.ts';
import { RavelTask } from './tabs/task.ts';

startPage(RavelRunner, {
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
  'ravel-snapshots': RavelSnapshots,
  'ravel-task': RavelTask,
});
