import { expect, test } from 'vitest';
import { formatEvent } from '../../../src/cli/render/events.ts';
import { advanceProgress, noProgress } from '../../../src/cli/render/progress.ts';
import { plainStyle, type Style } from '../../../src/cli/render/style.ts';
import { widthOf } from '../../../src/cli/render/text.ts';
import type { EventType } from '../../../src/model/event.ts';
import { eventTypes } from '../../../src/model/event.ts';
import { expectGolden } from '../../support/golden.ts';
import { samplePlan } from '../samples.ts';
import { cycleEvents } from './cycleEvents.ts';

/** Marks each emphasis by its name, so that a golden text shows it. */
const markedStyle: Style = {
  strong: (text) => `<strong>${text}</strong>`,
  faint: (text) => `<faint>${text}</faint>`,
  good: (text) => `<good>${text}</good>`,
  bad: (text) => `<bad>${text}</bad>`,
  notice: (text) => `<notice>${text}</notice>`,
  accent: (text) => `<accent>${text}</accent>`,
};

function render(style: Style, columns: number): string {
  let progress = noProgress;
  let nowMs = 0;
  const lines = cycleEvents.flatMap((event) => {
    nowMs += 1_000;
    progress = advanceProgress(progress, event, nowMs);
    return formatEvent(event, {
      style,
      columns,
      progress,
      elapsedMs: nowMs - progress.startedMs,
      project: '/code/demo',
    });
  });
  return `${lines.join('\n')}\n`;
}

test('what a run waits for is shown whole', () => {
  const reason =
    'x/project-root has analyse-work open by hand in this tree. Drop it with `ravel dismiss x/project-root`.';
  const event = { at: '', actor: samplePlan, type: 'run.queued', phase: 'work', reason } as const;
  const lines = formatEvent(event, { style: plainStyle, columns: 40, progress: noProgress, elapsedMs: 0 });
  expect(lines.map((line) => line.slice(4)).join(' ')).toBe(`work waits: ${reason}`);
});
test('the events of a cycle are rendered as plain lines', () =>
  expectGolden(render(plainStyle, 100), 'cli/events.txt'));
test('the events of a cycle are rendered with their emphases', () =>
  expectGolden(render(markedStyle, 100), 'cli/events-marked.txt'));
test('the sample cycle has every type of event', () => {
  const kinds = new Set<EventType>(cycleEvents.map((event) => event.type));
  expect(eventTypes.filter((type) => !kinds.has(type))).toEqual([]);
});
test('on a narrow terminal only the lines of phases, approvals and verdicts are longer than its width', () => {
  const tooWide = render(plainStyle, 40)
    .split('\n')
    .filter((line) => widthOf(line) > 40);
  expect(tooWide.every((line) => /^[✓✗▶?]|work finished|`ravel approvals show \w+`$/.test(line))).toBe(true);
});

test.each([
  ['retry', 'The question Q is withdrawn; the phase is retried.'],
  ['dismiss', 'The question Q is withdrawn; the phase is dismissed.'],
  ['superseded', 'The question Q is withdrawn; another decision settles it.'],
  ['reject', 'ada rejected what Q asked'],
] as const)('what %s does to a question is said in a sentence', (decision, words) => {
  const base = cycleEvents.find((event) => event.type === 'approval.decided');
  if (base?.type !== 'approval.decided') throw new Error('nothing was decided');
  const format = { style: plainStyle, columns: 100, progress: noProgress, elapsedMs: 0 };
  const [line] = formatEvent({ ...base, decision }, format);
  expect(line?.replace(base.approval, 'Q')).toBe(`  ✓ ${words}`);
});

test('a session that was taken over shows no prompt size', () => {
  const base = cycleEvents.find((event) => event.type === 'session.started');
  if (base?.type !== 'session.started') throw new Error('no session has started');
  const format = { style: plainStyle, columns: 100, progress: noProgress, elapsedMs: 0 };
  expect(formatEvent({ ...base, reattached: true, givenBytes: 0, givenTokens: 0 }, format)).toEqual([
    `  · taken over session ${base.session}`,
  ]);
});
