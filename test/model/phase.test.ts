import { describe, expect, test } from 'vitest';
import {
  isCodePhase,
  isPhase,
  isReasoningPhase,
  nextPhase,
  type Phase,
  phaseFromWord,
  phases,
  reasoningPhases,
} from '../../src/model/phase.ts';

/** The phases from `work` until the cycle ends. */
function walkCycle(dreamDue: boolean): Phase[] {
  const walked: Phase[] = ['work'];
  for (let phase: Phase = 'work'; phase !== 'git-commit-triage'; ) {
    phase = nextPhase(phase, dreamDue);
    walked.push(phase);
    expect(walked.length).toBeLessThanOrEqual(phases.length);
  }
  return walked;
}

describe('the cycle', () => {
  test('with a dream goes through all phases in order', () => expect(walkCycle(true)).toEqual(phases));

  test('without a dream leaves out the dream and its commit', () =>
    expect(walkCycle(false)).toEqual(phases.filter((phase) => !phase.includes('dream'))));

  test('starts again', () => expect(nextPhase('git-commit-triage', false)).toBe('work'));

  // A dream that a person wrote into phase.md runs, whether or not one is due.
  test('a dream is followed by its commit in any case', () =>
    expect(nextPhase('dream', false)).toBe('git-commit-dream'));
});

test.each(phases)('%s is either thought or code', (phase) => {
  expect(isCodePhase(phase)).toBe(phase.startsWith('git-commit-'));
  expect(isReasoningPhase(phase)).toBe(!isCodePhase(phase));
  expect(reasoningPhases.some((other) => other === phase)).toBe(isReasoningPhase(phase));
});

test.each<[string, Phase | undefined]>([
  ['work', 'work'],
  ['compact', 'dream'],
  ['git-commit-work', 'git-commit-work'],
  ['Work', undefined],
  ['', undefined],
])('the word %j names %s', (word, expected) => expect(phaseFromWord(word)).toBe(expected));

test('compact is a word for people only', () => expect(isPhase('compact')).toBe(false));
