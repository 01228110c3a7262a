import { describe, expect, test } from 'vitest';
import { formatTimestamp } from '../../../src/base/clock.ts';
import { columnsOf, Screen } from '../../../src/cli/render/screen.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { sampleEvent, sampleSession, sampleUsage } from '../samples.ts';

const escapeCode = String.fromCharCode(27);
const started = sampleEvent({ type: 'phase.started', phase: 'work' });
const ended = sampleEvent({ type: 'phase.ended', phase: 'work', end: 'finished', next: 'analyse-work', summary: '' });
const usage = (seq: number) =>
  sampleEvent({ type: 'session.output', session: sampleSession, seq, output: { kind: 'usage', usage: sampleUsage } });

/** The same event, so long after the one that the clock starts with. */
function later(event: RavelEvent, seconds: number): RavelEvent {
  return { ...event, at: formatTimestamp(Date.parse(event.at) + seconds * 1_000) };
}

interface Shown {
  readonly screen: Screen;
  readonly clock: ManualClock;
  readonly writes: string[];
  /** The terminal as a person sees it: erasing applied. */
  seen(): string[];
}

function create(isTty: boolean): Shown {
  const writes: string[] = [];
  const clock = new ManualClock();
  const output = { isTty, columns: 60, write: (text: string) => void writes.push(text) };
  return { screen: new Screen({ output, clock, style: plainStyle }), clock, writes, seen: () => replay(writes) };
}

function replay(writes: readonly string[]): string[] {
  let rows = [''];
  for (const part of writes.join('').split(escapeCode)) {
    const up = /^\[(\d+)F/.exec(part);
    const text = part.replace(/^\[(\d+F|J)/, '');
    if (up !== null) rows = [...rows.slice(0, rows.length - 1 - Number(up[1])), ''];
    const [first = '', ...rest] = text.split('\n');
    rows = [...rows.slice(0, -1), `${rows.at(-1)}${first}`, ...rest];
  }
  return rows.slice(0, -1);
}

describe('on a terminal', () => {
  test('printed lines stay above the live rows', () => {
    const { screen, seen } = create(true);
    screen.show(started);
    screen.print(['a remark']);
    expect(seen()).toEqual([
      '',
      '▶ work',
      'a remark',
      expect.stringContaining('[work]'),
      '  · thinking …',
      '  0:00 · 0 calls',
    ]);
  });

  test('the elapsed time advances by itself', () => {
    const { screen, clock, seen } = create(true);
    screen.show(started);
    clock.advance(3_000);
    expect(seen().at(-1)).toBe('  0:03 · 0 calls');
  });

  test('a phase that began before anyone watched shows all its time', () => {
    const { screen, clock, seen } = create(true);
    screen.show(later(started, -60));
    expect(seen().at(-1)).toBe('  1:00 · 0 calls');
    clock.advance(3_000);
    expect(seen().at(-1)).toBe('  1:03 · 0 calls');
  });

  test('events are drawn at most about ten times a second', () => {
    const { screen, clock, writes } = create(true);
    screen.show(started);
    const before = writes.length;
    for (let seq = 0; seq < 1_000; seq++) {
      if (seq % 10 === 0) clock.advance(10);
      screen.show(usage(seq));
    }
    expect(writes.length - before).toBeLessThanOrEqual(11);
  });

  test('the end of a phase and of the run removes the live rows and the timer', () => {
    const { screen, clock, seen } = create(true);
    screen.show(started);
    screen.show(ended);
    screen.dispose();
    expect(seen()).toEqual(['', '▶ work', '✓ work finished  0:00']);
    expect(clock.scheduled).toBe(0);
  });
});

test('without a terminal only whole lines are written, and no cursor moves', () => {
  const { screen, clock, writes } = create(false);
  screen.show(started);
  screen.show(usage(1));
  clock.advance(5_000);
  screen.show(later(ended, 5));
  screen.dispose();
  expect(writes.join('')).toBe('\n▶ work\n✓ work finished  0:05 · 2,100 tokens in, 160 out, $0.01\n');
});

describe('how long a phase took', () => {
  function check(events: readonly [RavelEvent, RavelEvent], expected: string, jumpMs = 0): void {
    const { screen, clock, writes } = create(false);
    screen.show(events[0]);
    clock.jumpWall(jumpMs);
    screen.show(events[1]);
    screen.dispose();
    expect(writes.join('')).toBe(`\n▶ work\n✓ work finished  ${expected}\n`);
  }

  test('is told by its events when they are read later, all at once', () =>
    check([later(started, -86_413), later(ended, -86_400)], '0:13'));
  test('is not a second less if the two clocks are read a moment apart', () =>
    check([later(started, -13), ended], '0:13', 1));
  test('does not change with the hour that the computer is set to', () =>
    check([started, later(ended, 3_600)], '0:00', 3_600_000));
  test("is the clock's time if an event has none", () => check([started, { ...ended, at: '' }], '0:00'));
});

test.each([
  [{ isTty: true, columns: 120 }, 120],
  [{ isTty: true, columns: 3 }, 20],
  [{ isTty: true, columns: 0 }, 80],
  [{ isTty: false, columns: 0 }, 100],
])('an output %j is %i columns wide', (output, expected) => expect(columnsOf(output)).toBe(expected));
