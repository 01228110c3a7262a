import { describe, expect, test } from 'vitest';
import { describeCall, formatEvent, formatUsage } from '../../../src/cli/render/events.ts';
import { advanceProgress, noProgress } from '../../../src/cli/render/progress.ts';
import { plainStyle, type Style } from '../../../src/cli/render/style.ts';
import { widthOf } from '../../../src/cli/render/text.ts';
import type { EventType } from '../../../src/model/event.ts';
import { eventDescriptions } from '../../../src/model/event.ts';
import { expectGolden } from '../../support/golden.ts';
import { sampleUsage } from '../samples.ts';
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

test('the events of a cycle as plain lines', () => expectGolden(render(plainStyle, 100), 'cli/events.txt'));
test('with their emphases', () => expectGolden(render(markedStyle, 100), 'cli/events-marked.txt'));
test('every kind of event is among them', () => {
  const kinds = new Set<EventType>(cycleEvents.map((event) => event.type));
  expect(Object.keys(eventDescriptions).filter((type) => !kinds.has(type as EventType))).toEqual([]);
});
test('on a narrow terminal only whole words of sentences are longer than a line', () => {
  const tooWide = render(plainStyle, 40)
    .split('\n')
    .filter((line) => widthOf(line) > 40);
  expect(tooWide.every((line) => /^[✓✗▶?]|work finished/.test(line))).toBe(true);
});

test('a session that was taken over was given nothing anew', () => {
  const base = cycleEvents.find((event) => event.type === 'session.started');
  if (base?.type !== 'session.started') throw new Error('no session has started');
  const format = { style: plainStyle, columns: 100, progress: noProgress, elapsedMs: 0 };
  expect(formatEvent({ ...base, readopted: true, givenBytes: 0, givenTokens: 0 }, format)).toEqual([
    `  · taken over session ${base.session}`,
  ]);
});

describe('usage', () => {
  const check = (changes: object, expected: string) =>
    expect(formatUsage({ ...sampleUsage, ...changes })).toBe(expected);
  test('reported', () => check({}, '2,100 tokens in, 160 out, $0.01'));
  test('estimated', () => check({ costBasis: 'estimated' }, '2,100 tokens in, 160 out, about $0.01'));
  test('unknown', () =>
    expect(formatUsage({ inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 })).toBe(
      '1 tokens in, 2 out',
    ));
});

describe('calls', () => {
  const check = (input: unknown, expected: string) => expect(describeCall('Tool', input, '/code/demo')).toBe(expected);
  test('a file', () => check({ file_path: '/a' }, 'Tool /a'));
  test('a file of the project', () => check({ file_path: '/code/demo/src/a.js' }, 'Tool src/a.js'));
  test('a file beside the project', () => check({ path: '/code/demonstration/a.js' }, 'Tool /code/demonstration/a.js'));
  test('the project', () => check({ path: '/code/demo' }, 'Tool /code/demo'));
  test('a command of several lines', () => check({ command: 'a\nb' }, 'Tool a …'));
  test('nothing that can be named', () => check({ deep: { path: '/a' } }, 'Tool'));
  test('no object', () => check(null, 'Tool'));
});
