import { describe, expect, test } from 'vitest';
import { phases } from '../../../src/model/phase.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import { backlogText, makeContext, memoryText, refused } from './context.ts';

function withFiles(files: Partial<Record<PlanFile, string>>) {
  return makeContext({ texts: new Map(Object.entries(files) as [PlanFile, string][]) });
}

function set(phase: string, files: Partial<Record<PlanFile, string>>): Record<string, string | undefined> {
  return Object.fromEntries(applyVerb('phase/set', { phase }, withFiles(files)).edits);
}

describe('phase set', () => {
  const count = { 'dream-word-count': '12\n' };

  test.each(phases)('takes %s', (phase) => {
    const from = phase === 'work' ? 'triage' : 'work';
    expect(set(phase, { 'phase.md': `${from}\n`, ...count })).toEqual({ 'phase.md': `${phase}\n` });
  });

  test('compact is the dream', () =>
    expect(set('compact', { 'phase.md': 'work\n', ...count })).toEqual({ 'phase.md': 'dream\n' }));

  test('a word that is no phase is refused, and the phases are named', () => {
    const error = refused('phase/set', { phase: 'wrok' }, withFiles({ 'phase.md': 'work\n' }));
    expect(error.code).toBe('state/badArguments');
    expect(error.message).toContain('"wrok" is no phase');
    for (const phase of phases) expect(error.message).toContain(phase);
  });

  test('without phase.md it is refused: it moves, and does not create', () => {
    const error = refused('phase/set', { phase: 'work' }, withFiles(count));
    expect([error.code, error.message]).toEqual(['state/unknownRecord', 'There is no phase.md here.']);
  });

  test('what no phase is can be mended', () => {
    const effect = applyVerb('phase/set', { phase: 'work' }, withFiles({ 'phase.md': 'wrok', ...count }));
    expect(effect.edits.get('phase.md')).toBe('work\n');
    expect(effect.result).toEqual({ phase: 'work', from: null });
  });

  test('where it stands already nothing is written', () =>
    expect(set('work', { 'phase.md': ' work ', ...count })).toEqual({}));

  test.each<[string, Partial<Record<PlanFile, string>>, Record<string, string | undefined>]>([
    ['a missing count becomes 0', {}, { 'dream-word-count': '0\n' }],
    ['a count that is there stays', { ...count, 'dream-baseline': '5\n' }, {}],
    [
      'a number in dream-baseline moves',
      { 'dream-baseline': '12214\n' },
      { 'dream-word-count': '12214\n', 'dream-baseline': undefined },
    ],
    ['a commit in dream-baseline stays', { 'dream-baseline': 'a'.repeat(40) }, { 'dream-word-count': '0\n' }],
    ['and so does one of digits alone', { 'dream-baseline': '1'.repeat(40) }, { 'dream-word-count': '0\n' }],
  ])('%s', (_name, files, expected) => expect(set('work', { 'phase.md': 'work\n', ...files })).toEqual(expected));
});

describe('phase show', () => {
  test('gives the word', () =>
    expect(applyVerb('phase/show', {}, withFiles({ 'phase.md': 'triage' })).result).toEqual({ phase: 'triage' }));
  test('refuses what is none', () => {
    expect(refused('phase/show', {}, withFiles({ 'phase.md': 'wrok\n' })).code).toBe('plan/badPhase');
    expect(refused('phase/show', {}, withFiles({})).code).toBe('state/unknownRecord');
  });
});

describe('phase-summary render', () => {
  const render = (phase: string, baseline?: ReadonlyMap<PlanFile, string>) =>
    applyVerb('phase-summary/render', { phase }, makeContext(baseline === undefined ? {} : { baseline })).result;

  test('compares the backlog of a triage', () => {
    const baseline = new Map<PlanFile, string>([
      ['backlog.yaml', backlogText.replace('status: done', 'status: blocked')],
    ]);
    expect(render('triage', baseline)).toEqual({
      phase: 'triage',
      items: [{ label: 'DONE', id: 'odd', title: 'Odd' }],
    });
  });

  test('compares the memory of a reflection and of a dream', () => {
    const baseline = new Map<PlanFile, string>([['memory.yaml', memoryText.replace('second', 'other')]]);
    const items = [{ label: 'STALE', id: 'beta', title: 'Beta' }];
    expect(render('reflect', baseline)).toEqual({ phase: 'reflect', items });
    expect(render('dream', baseline)).toEqual({ phase: 'dream', items, words: { before: 12, after: 12 } });
  });

  test('without a baseline everything is new', () => {
    expect(render('reflect')).toMatchObject({ items: [{ label: 'NEW' }, { label: 'NEW' }, { label: 'NEW' }] });
  });

  test('a file that is not there is an empty one', () => {
    const context = makeContext({ texts: new Map(), baseline: new Map([['memory.yaml', memoryText]]) });
    expect(applyVerb('phase-summary/render', { phase: 'reflect' }, context).result).toMatchObject({
      items: [{ label: 'OBSOLETE' }, { label: 'OBSOLETE' }, { label: 'OBSOLETE' }],
    });
  });

  test('a baseline that cannot be read is no empty one', () => {
    const context = makeContext({ baseline: new Map([['memory.yaml', 'entries: 1\n']]) });
    expect(refused('phase-summary/render', { phase: 'dream' }, context).code).toBe('yaml/schema');
  });

  test('of another phase there is none', () =>
    expect(refused('phase-summary/render', { phase: 'work' }).code).toBe('state/badArguments'));
});
