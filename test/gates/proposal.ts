import type { ReasoningPhase } from '../../src/model/phase.ts';
import type { PlanFile, PlanTexts } from '../../src/model/plan.ts';
import type { PlanValues, Proposal, Verdict } from '../../src/model/verdict.ts';

/** Values by file: a string is the text itself, anything else is stored as JSON. */
export type Files = Partial<Record<PlanFile, unknown>>;

/** A proposal from values; files that are not given do not exist. */
export function makeProposal(
  phase: ReasoningPhase,
  base: Files,
  proposed: Files,
  rest: Partial<Omit<Proposal, 'phase' | 'base' | 'proposed'>> = {},
): Proposal {
  return {
    phase,
    outcome: 'done',
    summary: 'Something was done.',
    base: textsOf(base),
    proposed: textsOf(proposed),
    baseValues: valuesOf(base),
    proposedValues: valuesOf(proposed),
    verbsUsed: [],
    unattributed: [],
    dreamMap: {},
    ...rest,
    facts: { diff: '', existingFiles: new Set(), commits: [], commands: [], changedPaths: [], ...rest.facts },
  };
}

export function findingsOf(verdict: Verdict): readonly string[] {
  return verdict.outcome === 'reject' ? verdict.findings : [];
}

function entriesOf(files: Files): [PlanFile, unknown][] {
  return Object.entries(files) as [PlanFile, unknown][];
}

function textsOf(files: Files): PlanTexts {
  return new Map(
    entriesOf(files).map(([file, value]) => [file, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function valuesOf(files: Files): PlanValues {
  return new Map(entriesOf(files).map(([file, value]) => [file, { value, problems: [] }]));
}
