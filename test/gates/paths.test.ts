import { expect, test } from 'vitest';
import { judgePaths } from '../../src/gates/paths.ts';
import { reasoningPhases } from '../../src/model/phase.ts';
import { filesWritten } from '../../src/model/phaseFiles.ts';
import { type PlanFile, planFiles } from '../../src/model/plan.ts';
import { findingsOf, makeProposal } from './proposal.ts';

test('each phase can change exactly the files the table gives it', () => {
  for (const phase of reasoningPhases) {
    for (const file of Object.values(planFiles)) {
      const verdict = judgePaths(makeProposal(phase, { [file]: 'old' }, { [file]: 'new' }));
      const expected = filesWritten(phase).includes(file) ? 'accept' : 'reject';
      expect([phase, file, verdict.outcome]).toEqual([phase, file, expected]);
    }
  }
});

function check(
  base: Partial<Record<PlanFile, string>>,
  proposed: Partial<Record<PlanFile, string>>,
  expected: string[],
) {
  expect(findingsOf(judgePaths(makeProposal('reflect', base, proposed)))).toEqual(expected);
}

test('new and removed files count as changes', () => {
  check({}, { 'memory.yaml': 'x' }, []);
  check({}, { 'backlog.yaml': 'x' }, ['backlog.yaml: the phase reflect cannot change this file.']);
  check({ 'memory.yaml': 'x' }, {}, ['memory.yaml: the file is gone; no verb removes it.']);
  check({ 'backlog.yaml': 'x', 'memory.yaml': 'y' }, { 'backlog.yaml': 'x', 'memory.yaml': 'y' }, []);
});

test('a change that no verb made needs the approval of a person', () => {
  const verdict = judgePaths(makeProposal('work', {}, {}, { unattributed: ['notes.md', 'phase.md'] }));
  expect(verdict).toMatchObject({ outcome: 'needs-approval', kind: 'unattributed-change' });
  expect(verdict).toHaveProperty('reason', expect.stringContaining('notes.md, phase.md'));
});
