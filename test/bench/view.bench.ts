import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { startBrowser } from '../editor/support/editorPage.ts';
import { openRunnerPage, type RunnerPage } from '../editor/support/runnerPage.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';

const plan = toQualifiedId('demo/project-root');
const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
/** The interval at which the editor sends events. */
const batchMs = 40;
const perSecond = 5_000;
const perBatch = (perSecond * batchMs) / 1000;
const batches = sized(500, 10);

interface Seen {
  readonly fps: number;
  readonly lagsMs: readonly number[];
  /** The share of the time in which the page's thread computes, 0 to 1. */
  readonly busy: number;
  readonly heapBytes: number;
}

/**
 * The page of a phase runner in a browser that draws without a graphics card, while a session sends 5,000 events per second,
 * 100,000 in all. The page counts the frames that it draws, and reports when the last row of each batch is drawn.
 */
async function watch(): Promise<Seen> {
  const browser = await startBrowser();
  try {
    const runner = await openRunnerPage(browser, { view: { plan }, answer });
    const { page } = runner;
    await page.getByText('No output yet.').waitFor();
    await page.evaluate(counting);
    const devtools = await page.context().newCDPSession(page);
    // This counts the time in which the thread of the page computes, not the time in which it waits for a busy machine.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const start = performance.now();
    const lags: Promise<number>[] = [];
    for (let batch = 0; batch < batches; batch++) {
      await until(start + batch * batchMs);
      lags.push(sendBatch(runner, batch));
    }
    const lagsMs = await Promise.all(lags);
    const fps: number = await page.evaluate('window.framesPerSecond()');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const computedMs = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
    const busy = computedMs / (performance.now() - start);
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    return { fps, lagsMs, busy, heapBytes: usedSize };
  } finally {
    await browser.close();
  }
}

/** Resolves with the milliseconds until a frame shows all of the batch. */
async function sendBatch({ page, send }: RunnerPage, batch: number): Promise<number> {
  const events = Array.from({ length: perBatch }, (_, n) => eventOf(batch * perBatch + n));
  const start = performance.now();
  await send({ type: 'events', events });
  await page.evaluate(`window.drawn(${(batch + 1) * perBatch})`);
  return performance.now() - start;
}

/** One event of a session: some words, a tool call, or its answer. */
function eventOf(seq: number): RavelEvent {
  const base = { at: '2026-01-02T03:04:05Z', actor: plan, type: 'session.output', session, seq } as const;
  const callId = String(Math.floor(seq / 3));
  const said = `Step ${seq}: look at \`file-${seq}.ts\` and see what it does with its ${seq % 7} arguments.`;
  if (seq % 3 === 0) return { ...base, output: { kind: 'text', text: said } };
  if (seq % 3 === 2)
    return { ...base, output: { kind: 'toolEnded', callId, isError: false, output: said, exitCode: 0 } };
  return { ...base, output: { kind: 'toolStarted', tool: 'Bash', callId, input: { command: `cat file-${seq}.ts` } } };
}

async function answer(name: string): Promise<unknown> {
  if (name === 'transcript') return { events: [], next: 0 };
  if (name === 'spending') return { days: [], reservedUsd: 0, vaultUsdPerDay: 0, planUsdPerDay: 0, until: '' };
  if (name === 'approvals') return { approvals: [], diagnostics: [] };
  if (name === 'state') return { result: { tasks: [] }, summary: '' };
  const counts = { ready: 1, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };
  return {
    ...{ plan, description: 'A plan', phase: 'work', counts, faults: [], directory: '/v', project: '/p', children: [] },
    ...{ memoryEntries: 0, memoryWords: 0, running: { session, phase: 'work' } },
  };
}

/** Runs in the page. A batch is drawn in the frame after the one in which its events are in the model. */
const counting = `
  const runner = document.querySelector('ravel-runner');
  const rows = () => runner.shadowRoot.querySelector('ravel-session').model;
  let frames = 0;
  const began = performance.now();
  const count = () => { frames += 1; requestAnimationFrame(count); };
  requestAnimationFrame(count);
  window.framesPerSecond = () => (frames * 1000) / (performance.now() - began);
  window.drawn = (events) => new Promise((resolve) => {
    const look = () => (rows().rows.length >= Math.floor((events * 2) / 3) ? requestAnimationFrame(() => resolve()) : requestAnimationFrame(look));
    look();
  });
`;

function until(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
}

async function run(): Promise<BenchRow> {
  const { fps, lagsMs, busy, heapBytes } = await watch();
  const sorted = [...lagsMs].sort((a, b) => a - b);
  const worst = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  const heapMb = heapBytes / 1e6;
  return {
    id: 'view-5k',
    value: round(fps, 1),
    unit: 'frames per second',
    goal: '≥ 50, lag < 200 ms, heap < 150 MB',
    ok: fps >= 50 && worst < 200 && heapMb < 150,
    limit: 60,
    note: `lag ${round(median(lagsMs), 0)} ms, p99 ${round(worst, 0)} ms; heap ${round(heapMb, 0)} MB after ${batches * perBatch} events; its thread computes ${round(busy * 100, 0)} % of the time; without a graphics card`,
  };
}

export const benches: readonly Bench[] = [{ id: 'view-5k', usesBuild: true, run }];
