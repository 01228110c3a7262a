import { assert } from '../../base/assert.ts';
import { RavelError } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { backlogSchema } from '../../model/backlog.ts';
import { isPhase, phaseFromWord } from '../../model/phase.ts';
import {
  type PhaseSummary,
  type SummarisedPhase,
  summariseDream,
  summariseReflection,
  summariseTriage,
} from '../../model/phaseSummary.ts';
import { type PlanFile, planFiles } from '../../model/plan.ts';
import type { VerbArgs } from '../../model/verbs.ts';
import { formatPhase, readPhase } from '../../vault/planStore.ts';
import { missingFile, readEffect, readMemory, readPlanFile } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { VerbHandlers, VerbsOf } from './verbHandlers.ts';

export const phaseVerbs: VerbHandlers<VerbsOf<'phase' | 'phase-summary'>> = {
  'phase/show': showPhase,
  'phase/set': setPhase,
  'phase-summary/render': renderSummary,
};

function showPhase(_args: VerbArgs<'phase/show'>, context: VerbContext): VerbEffect {
  const { value, diagnostics } = readPhase(phaseText(context), { file: planFiles.phase, subject: context.subject });
  const problem = diagnostics[0];
  if (value === undefined && problem !== undefined) throw new RavelError(problem);
  return readEffect({ phase: value }, `the next phase is ${value}`);
}

/** A move and no beginning: a plan that has no phase yet is made by `create`. What stood there may be no phase at all. */
function setPhase({ phase: word }: VerbArgs<'phase/set'>, context: VerbContext): VerbEffect {
  const before = phaseText(context).trim();
  const phase = phaseFromWord(word);
  assert(phase !== undefined, 'the schema takes no other word');
  const edits = wordCountEdits(context);
  if (before !== phase) edits.set(planFiles.phase, formatPhase(phase));
  const from = isPhase(before) ? before : null;
  return { edits, result: { phase, from }, summary: `the next phase is ${phase}` };
}

function phaseText(context: VerbContext): string {
  const text = context.texts.get(planFiles.phase);
  if (text === undefined) throw missingFile(planFiles.phase, context);
  return text;
}

/**
 * The count of words that the trigger of a dream compares with. In the oldest plans it stands in `dream-baseline`, where
 * later ones have a commit.
 */
function wordCountEdits({ texts }: VerbContext): Map<PlanFile, string | undefined> {
  if (texts.has(planFiles.dreamWordCount)) return new Map();
  const old = texts.get(planFiles.dreamBaseline)?.trim() ?? '';
  if (!/^\d{1,15}$/.test(old)) return new Map([[planFiles.dreamWordCount, '0\n']]);
  return new Map<PlanFile, string | undefined>([
    [planFiles.dreamWordCount, `${Number(old)}\n`],
    [planFiles.dreamBaseline, undefined],
  ]);
}

function renderSummary({ phase }: VerbArgs<'phase-summary/render'>, context: VerbContext): VerbEffect {
  const summary = summaries[phase](context, { ...context, texts: context.baseline ?? new Map() });
  return readEffect(summary, `${plural(summary.items.length, 'record')} in the summary of ${phase}`);
}

const summaries: Readonly<Record<SummarisedPhase, (now: VerbContext, before: VerbContext) => PhaseSummary>> = {
  triage: (now, before) => summariseTriage(backlogIn(before), backlogIn(now)),
  reflect: (now, before) => summariseReflection(memoryIn(before), memoryIn(now)),
  dream: (now, before) => summariseDream(memoryIn(before), memoryIn(now)),
};

/** A file that is not there is an empty one: so it is before a first commit. */
function backlogIn(context: VerbContext) {
  return context.texts.has(planFiles.backlog) ? readPlanFile(planFiles.backlog, backlogSchema, context).value : {};
}

function memoryIn(context: VerbContext) {
  return context.texts.has(planFiles.memory) ? readMemory(context).memory : {};
}
