import { describe, expect, test } from 'vitest';
import { reasoningPhases } from '../../src/model/phase.ts';
import { filesRead, filesStaged, filesWritten } from '../../src/model/phaseFiles.ts';
import { planFiles } from '../../src/model/plan.ts';

describe('the files of a phase', () => {
  test('dream is given the memory and no other file', () => {
    expect(filesStaged('dream')).toEqual([planFiles.memory]);
  });

  test('reflect is never given the backlog', () => {
    expect(filesStaged('reflect')).not.toContain(planFiles.backlog);
  });

  test('only triage can change both backlog and memory', () => {
    const both = reasoningPhases.filter((phase) => {
      const written = filesWritten(phase);
      return written.includes(planFiles.backlog) && written.includes(planFiles.memory);
    });
    expect(both).toEqual(['triage']);
  });

  test('no phase reads or writes the session log or the phase word', () => {
    for (const phase of reasoningPhases) {
      expect(filesStaged(phase)).not.toContain(planFiles.sessionLog);
      expect(filesStaged(phase)).not.toContain(planFiles.phase);
    }
  });

  test('every file a phase reads or writes is staged, once', () => {
    for (const phase of reasoningPhases) {
      const staged = filesStaged(phase);
      expect(new Set(staged).size).toBe(staged.length);
      expect(staged).toEqual(expect.arrayContaining([...filesRead(phase), ...filesWritten(phase)]));
    }
  });
});
