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

describe('phase/set', () => {
  const count = { 'dream-word-count': '12\n' };

  test.each(phases)('sets %s', (phase) => {
    const from = phase === 'work' ? 'triage' : 'work';
    expect(set(phase, { 'phase.md': `${from}\n`, ...count })).toEqual({ 'phase.md': `${phase}\n` });
  });

  test('reads compact as dream', () =>
    expect(set('compact', { 'phase.md': 'work\n', ...count })).toEqual({ 'phase.md': 'dream\n' }));

  test('refuses an unknown word and lists the phases', () => {
    const error = refused('phase/set', { phase: 'wrok' }, withFiles({ 'phase.md': 'work\n' }));
    expect(error.code).toBe('state/badArguments');
    expect(error.message).toContain('"wrok" is not a phase');
    for (const phase of phases) expect(error.message).toContain(phase);
  });

  test('refuses to create phase.md', () => {
    const error = refused('phase/set', { phase: 'work' }, withFiles(count));
    expect([error.code, error.message]).toEqual(['state/unknownRecord', 'There is no phase.md here.']);
  });

  test('replaces an invalid word in phase.md', () => {
    const effect = applyVerb('phase/set', { phase: 'work' }, withFiles({ 'phase.md': 'wrok', ...count }));
    expect(effect.edits.get('phase.md')).toBe('work\n');
    expect(effect.result).toEqual({ phase: 'work', from: null });
  });

  test('writes nothing when the phase is already set', () =>
    expect(set('work', { 'phase.md': ' work ', ...count })).toEqual({}));

  test.each<[string, Partial<Record<PlanFile, string>>, Record<string, string | undefined>]>([
    ['creates a missing word count as 0', {}, { 'dream-word-count': '0\n' }],
    ['keeps an existing word count', { ...count, 'dream-baseline': '5\n' }, {}],
    [
      'moves a number from dream-baseline to dream-word-count',
      { 'dream-baseline': '12214\n' },
      { 'dream-word-count': '12214\n', 'dream-baseline': undefined },
    ],
    ['keeps a commit in dream-baseline', { 'dream-baseline': 'a'.repeat(40) }, { 'dream-word-count': '0\n' }],
    [
      'keeps a commit of digits only in dream-baseline',
      { 'dream-baseline': '1'.repeat(40) },
      { 'dream-word-count': '0\n' },
    ],
  ])('%s', (_name, files, expected) => expect(set('work', { 'phase.md': 'work\n', ...files })).toEqual(expected));
});

describe('phase/show', () => {
  test('gives the phase', () =>
    expect(applyVerb('phase/show', {}, withFiles({ 'phase.md': 'triage' })).result).toEqual({ phase: 'triage' }));
  test('refuses an invalid or missing phase', () => {
    expect(refused('phase/show', {}, withFiles({ 'phase.md': 'wrok\n' })).code).toBe('plan/badPhase');
    expect(refused('phase/show', {}, withFiles({})).code).toBe('state/unknownRecord');
  });
});

describe('phase-summary/render', () => {
  const render = (phase: string, baseline?: ReadonlyMap<PlanFile, string>) =>
    applyVerb('phase-summary/render', { phase }, makeContext(baseline === undefined ? {} : { baseline })).result;

  test('compares the backlog of a triage with its baseline', () => {
    const baseline = new Map<PlanFile, string>([
      ['backlog.yaml', backlogText.replace('status: done', 'status: blocked')],
    ]);
    expect(render('triage', baseline)).toEqual({
      phase: 'triage',
      items: [{ label: 'DONE', id: 'odd', title: 'Odd' }],
    });
  });

  test('compares the memory of a reflection and of a dream with its baseline', () => {
    const baseline = new Map<PlanFile, string>([['memory.yaml', memoryText.replace('second', 'other')]]);
    const items = [{ label: 'STALE', id: 'beta', title: 'Beta' }];
    expect(render('reflect', baseline)).toEqual({ phase: 'reflect', items });
    expect(render('dream', baseline)).toEqual({ phase: 'dream', items, words: { before: 12, after: 12 } });
  });

  test('labels everything as new without a baseline', () => {
    expect(render('reflect')).toMatchObject({ items: [{ label: 'NEW' }, { label: 'NEW' }, { label: 'NEW' }] });
  });

  test('treats a missing file as empty', () => {
    const context = makeContext({ texts: new Map(), baseline: new Map([['memory.yaml', memoryText]]) });
    expect(applyVerb('phase-summary/render', { phase: 'reflect' }, context).result).toMatchObject({
      items: [{ label: 'OBSOLETE' }, { label: 'OBSOLETE' }, { label: 'OBSOLETE' }],
    });
  });

  test('refuses an unreadable baseline', () => {
    const context = makeContext({ baseline: new Map([['memory.yaml', 'entries: 1\n']]) });
    expect(refused('phase-summary/render', { phase: 'dream' }, context).code).toBe('yaml/schema');
  });

  test('refuses a phase without a summary', () =>
    expect(refused('phase-summary/render', { phase: 'work' }).code).toBe('state/badArguments'));
});
