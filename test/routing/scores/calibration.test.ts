import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../src/model/routing.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import {
  calibrate,
  type LabelledLead,
  labelledDecisions,
  lowerBound,
  type TaskLead,
} from '../../../src/routing/scores/calibration.ts';
import { decision, result } from '../../support/routingRecords.ts';

const demanded = 0.97;

/** Of three plans in turn. */
function leads(count: number, lead: number, isRight = true): TaskLead[] {
  return Array.from({ length: count }, (_, at) => ({ lead, isRight, plan: `plan-${at % 3}` }));
}

function thresholdOf(tasks: readonly TaskLead[], decisions: readonly LabelledLead[] = []): number | undefined {
  return calibrate({ tasks, decisions }, demanded).threshold;
}

test.each([
  ['with nothing', 0, 0, 0],
  ['with one right example', 1, 1, 0.27],
  ['with 88 right examples', 88, 88, 0.97],
  ['with half of 100', 50, 100, 0.419],
  ['with none of 10', 0, 10, 0],
])('the lower bound of a share %s', (_name, right, count, expected) => {
  expect(lowerBound(right, count)).toBeCloseTo(expected, 2);
});

describe('the lead that decides', () => {
  test.each<[string, readonly TaskLead[], number | undefined]>([
    ['is the lowest one if all are right', [...leads(60, 0.3), ...leads(40, 0.1)], 0.1],
    ['is above the wrong ones', [...leads(100, 0.3), ...leads(20, 0.1, false)], 0.3],
    [
      'is lower than a single wrong one among many right ones',
      [...leads(200, 0.3), ...leads(1, 0.2, false), ...leads(1, 0.1)],
      0.1,
    ],
    ['does not split those with the same lead', [...leads(100, 0.2), ...leads(20, 0.2, false)], undefined],
    ['is not known from too few', leads(80, 0.3), undefined],
    ['is not known if wrong ones have the largest leads', [...leads(20, 0.9, false), ...leads(200, 0.3)], undefined],
    ['is not known from ties', leads(300, 0), undefined],
    ['is not known from nothing', [], undefined],
  ])('%s', (_name, tasks, expected) => {
    expect(thresholdOf(tasks)).toBe(expected);
  });

  test('is above one at which a small plan loses its own tasks to a large one', () => {
    const of = (plan: string, tasks: readonly TaskLead[]) => tasks.map((task) => ({ ...task, plan }));
    const others = [...of('large', leads(150, 0.2)), ...of('other', leads(90, 0.5))];
    expect(thresholdOf(others)).toBe(0.2);
    expect(thresholdOf([...others, ...of('small', leads(3, 0.2, false))])).toBe(0.5);
    expect(thresholdOf([...others, ...of('small', [...leads(1, 0.2, false), ...leads(40, 0.2)])])).toBe(0.2);
  });

  test('is lower if less is demanded', () => {
    const tasks = [...leads(90, 0.4), ...leads(4, 0.3, false), ...leads(6, 0.1)];
    expect([0.97, 0.9].map((precision) => calibrate({ tasks, decisions: [] }, precision).threshold)).toEqual([
      0.4, 0.1,
    ]);
  });

  test('is raised by a wrong decision', () => {
    const tasks = [...leads(90, 0.4), ...leads(10, 0.1)];
    expect(thresholdOf(tasks)).toBe(0.1);
    expect(thresholdOf(tasks, leads(1, 0.2, false))).toBe(0.4);
    expect(thresholdOf(tasks, leads(1, 0.5, false))).toBeUndefined();
  });

  test('rests on decisions alone once there are enough', () => {
    const tasks = leads(300, 0.1, false);
    expect(calibrate({ tasks, decisions: leads(100, 0.3) }, demanded)).toEqual({
      threshold: 0.3,
      tasks: 200,
      decisions: 100,
    });
    expect(calibrate({ tasks, decisions: leads(400, 0.1) }, demanded)).toEqual({
      threshold: 0.1,
      tasks: 0,
      decisions: 300,
    });
  });
});

describe('a decision shows whether scores were right', () => {
  const pay = 'Shop/project-root/pay';
  const docs = 'Docs/project-root';
  const candidates = [
    { recipient: pay, score: 0.4, parts: {}, words: 3 },
    { recipient: docs, score: 0.3, parts: {}, words: 3 },
  ] as unknown as readonly Candidate[];
  const right = [{ lead: 0.25, isRight: true }];
  const wrong = [{ lead: 0.25, isRight: false }];

  test.each<[string, Parameters<HistoryIndex['add']>[0][], readonly LabelledLead[]]>([
    ['if a session chose their best candidate', [decision('m', { candidates, to: pay })], right],
    ['if a session chose another one', [decision('m', { candidates, to: docs })], wrong],
    [
      'if their best candidate declined it',
      [decision('m', { candidates, to: pay }), result('m', pay, 'declined')],
      wrong,
    ],
    [
      'if they decided and the receiver kept it',
      [decision('m', { candidates, to: pay, step: 'scores' }), result('m', pay, 'promoted')],
      right,
    ],
    [
      'if they decided and the receiver declined it',
      [decision('m', { candidates, to: pay, step: 'scores' }), result('m', pay, 'declined')],
      wrong,
    ],
    ['but not if they decided it themselves', [decision('m', { candidates, to: pay, step: 'scores' })], []],
    [
      'but not if another one declined it',
      [decision('m', { candidates, to: docs }), result('m', docs, 'declined')],
      [],
    ],
    ['but not if nobody was scored', [decision('m', { to: pay, step: 'direct' })], []],
    ['but not while it waits', [decision('m', { candidates })], []],
    [
      'but not if it named a project',
      [decision('m', { candidates, to: pay, named: { 'target-project': 'Shop' } })],
      [],
    ],
  ])('%s', (_name, records, expected) => {
    const index = new HistoryIndex();
    for (const record of records) index.add(record);
    expect(labelledDecisions(index, undefined)).toEqual(expected);
  });

  test('within the project that a message named, and the newest first', () => {
    const index = new HistoryIndex();
    const named = { 'target-project': 'Shop' };
    index.add(decision('m1', { candidates, to: pay, named }));
    index.add(decision('m2', { candidates: candidates.slice(0, 1), to: pay, named }));
    expect(labelledDecisions(index, 'Shop')).toEqual([{ lead: 1, isRight: true }, ...right]);
    expect(labelledDecisions(index, 'Docs')).toEqual([]);
  });
});
