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

  test('starts again with work after the commit of triage', () =>
    expect(nextPhase('git-commit-triage', false)).toBe('work'));

  // A dream that a person wrote into phase.md runs even if none is due.
  test('always follows a dream with its commit', () => expect(nextPhase('dream', false)).toBe('git-commit-dream'));
});

test.each(phases)('%s is either a reasoning phase or a code phase', (phase) => {
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
])('phaseFromWord(%j) is %s', (word, expected) => expect(phaseFromWord(word)).toBe(expected));

test('"compact" is an alias for people, not a phase', () => expect(isPhase('compact')).toBe(false));
