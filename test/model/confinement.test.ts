import { describe, expect, test } from 'vitest';
import { formatEvent } from '../../src/cli/render/events.ts';
import { noProgress } from '../../src/cli/render/progress.ts';
import { formatPlanStatus, formatPlanTable } from '../../src/cli/render/reports.ts';
import { plainStyle } from '../../src/cli/render/style.ts';
import { checkSandbox } from '../../src/doctor/machineChecks.ts';
import { type Confinement, describeConfinement, explainConfinement } from '../../src/model/confinement.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { PlanRow } from '../../src/model/requests/plans.ts';
import { transcriptText } from '../../src/ui/runner/transcriptText.ts';
import { planRow, planTooltip } from '../../src/ui/trees/planRows.ts';
import { searchTextOf } from '../../webview/session/rows.ts';
import { SessionRows } from '../../webview/session/sessionRows.ts';
import { sampleEvent, sampleRow, sampleSession, sampleStatus } from '../cli/samples.ts';
import { id, outlineWith, statusOf } from '../support/fakeModel.ts';

const reason = 'bubblewrap is not installed.';
const fix = '`sudo apt install bubblewrap`';

/** What runs, and what a face that has room for a sentence says of it. */
const cases: Readonly<Record<string, { readonly of?: Confinement; readonly says: readonly string[] }>> = {
  'a session in a sandbox': { of: { state: 'confined' }, says: [] },
  'a session without one, and how to fix that': { of: { state: 'unconfined', reason, fix }, says: [reason, fix] },
  'a session without a fix': { of: { state: 'unconfined', reason }, says: [reason] },
  'a session of a phase that runs no commands': { says: [] },
};

function runningOf(confinement: Confinement | undefined): NonNullable<PlanRow['running']> {
  const [session, phase, task] = [sampleSession, 'work', 'fix'] as const;
  return { session, phase, task, ...(confinement !== undefined && { confinement }) };
}

function startedEvent(confinement: Confinement | undefined, reattached = false): RavelEvent {
  const given = { givenBytes: 1, givenTokens: 1, reattached, harness: 'claude-code' } as const;
  const about = { session: sampleSession, phase: 'work', ...given } as const;
  return sampleEvent({ type: 'session.started', ...about, ...(confinement !== undefined && { confinement }) });
}

function rowText(event: RavelEvent): string {
  const rows = new SessionRows();
  rows.add([event]);
  return rows.rows.map(searchTextOf).join('\n');
}

const inTerminal = (event: RavelEvent, columns: number) =>
  formatEvent(event, { style: plainStyle, columns, progress: noProgress, elapsedMs: 0 }).join('\n');

function treeRow(confinement: Confinement | undefined) {
  const node = outlineWith({ shop: { running: runningOf(confinement) } }).nodes.get(id('shop'));
  if (node === undefined) throw new Error('no node');
  return planRow(node, { asking: new Set() });
}

/** Markdown of the editor writes some letters as entities. */
function withoutEntities(markdown: string): string {
  return markdown.replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));
}

/** Where a person is told, by what each makes of the same session. */
const faces: Readonly<Record<string, (confinement: Confinement | undefined) => string>> = {
  '`ravel status PLAN`': (of) => formatPlanStatus(sampleStatus({ running: runningOf(of) }), plainStyle, 60).join('\n'),
  'the events of a run': (of) => inTerminal(startedEvent(of), 60),
  'the list of a session on its page': (of) => rowText(startedEvent(of)),
  'the transcript as a document': (of) => transcriptText('s', [startedEvent(of)]),
  'the hover of a plan': (of) => withoutEntities(planTooltip(statusOf('shop', { running: runningOf(of) }))),
};

describe('whether the commands of a session are confined is told by', () => {
  test.each(
    Object.entries(faces).flatMap(([face, show]) =>
      Object.entries(cases).map(([name, { of, says }]) => ({ face, name, show, of, says })),
    ),
  )('$face: $name', ({ show, of, says }) => {
    const text = show(of).replace(/\s+/g, ' ');
    expect(/\bconfined\b/.test(text)).toBe(of?.state === 'confined');
    expect(/\bunconfined\b/.test(text)).toBe(of?.state === 'unconfined');
    for (const part of says) expect(text).toContain(part);
  });

  /** Where there is room for one word, it is the one that needs a person. */
  test.each([
    [
      'the table of `ravel status`',
      (of: Confinement) => formatPlanTable([sampleRow({ running: runningOf(of) })], plainStyle, 100).join('\n'),
    ],
    ['a row of the tree', (of: Confinement) => treeRow(of).description],
    ['a row of the tree as it is spoken', (of: Confinement) => treeRow(of).ariaLabel],
  ])('%s, if it is not', (_name, show) => {
    expect(show({ state: 'unconfined', reason })).toMatch(/fix\)?, unconfined/);
    expect(show({ state: 'confined' })).not.toContain('confined');
  });

  test('the events of a session that another owner began', () => {
    expect(inTerminal(startedEvent({ state: 'confined' }, true), 100)).toContain(', confined');
    expect(inTerminal(startedEvent({ state: 'unconfined', reason }, true), 100)).toContain(`unconfined`);
    expect(rowText(startedEvent({ state: 'unconfined', reason }, true))).toContain('unconfined');
  });
});

test('what a person is told of a sandbox says what it means', () => {
  expect(describeConfinement({ state: 'confined' })).toBe('confined: its commands stay in the project');
  expect(describeConfinement({ state: 'unconfined', reason, fix })).toBe(
    `unconfined: its commands have your rights. ${reason} To fix it: ${fix}`,
  );
  expect(explainConfinement({ state: 'confined' })).toMatch(/^They run in a sandbox/);
  expect(explainConfinement({ state: 'unconfined', reason })).toBe(
    `They run without a sandbox, with your rights. ${reason}`,
  );
});

describe('ravel doctor says of the sandbox', () => {
  const missing: Confinement = { state: 'unconfined', reason, fix };
  const table: readonly (readonly [mode: 'preferred' | 'required' | 'off', Confinement, string, RegExp])[] = [
    ['preferred', { state: 'confined' }, 'ok', /can be confined/],
    ['required', { state: 'confined' }, 'ok', /can be confined/],
    ['preferred', missing, 'warning', /are unconfined, .*your rights\. bubblewrap is not installed\.$/],
    ['required', missing, 'error', /unconfined, .*"required", so no work begins\. bubblewrap is not installed\.$/],
    ['off', { state: 'confined' }, 'info', /are unconfined, .*switched off\.$/],
  ];
  test.each(table)('%s, on a machine that is %j: %s', async (commands, found, severity, message) => {
    const confiner = { probe: () => Promise.resolve(found), confine: () => Promise.reject(new Error('no session')) };
    const settings = { sandbox: { commands } } as Parameters<typeof checkSandbox>[0]['settings'];
    const checks = await checkSandbox({ confiner, settings }, new AbortController().signal);
    expect(checks).toMatchObject([{ check: 'sandbox', severity, message: expect.stringMatching(message) }]);
    expect(checks[0]?.fix === undefined).toBe(severity === 'ok');
  });
});
