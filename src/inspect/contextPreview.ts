import { join } from 'node:path';
import { defined } from '../base/defined.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { readText } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import type { Ulid } from '../model/id.ts';
import type { ReasoningPhase } from '../model/phase.ts';
import { filesStaged } from '../model/phaseFiles.ts';
import type { ContextPreview } from '../model/requests/inspect.ts';
import { assertReadable } from '../plans/phases/preflight.ts';
import { settingsOfPlan } from '../plans/planSettings.ts';
import type { PlanServices } from '../plans/services.ts';
import { renderContext } from '../plans/sessions/context.ts';
import { chooseTask } from '../plans/sessions/promptValues.ts';
import { toolsOfPhase } from '../plans/sessions/sessionTools.ts';
import { type LoadedPlan, loadPlan, loadPlanTexts } from '../vault/planStore.ts';
import { loadRunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';

/** No session has it. */
const noSession = '00000000000000000000000000' as Ulid;

/** What a session of a phase would be given now. Nothing is run or written; what its sandbox allows is not known yet. */
export async function previewContext(
  services: PlanServices,
  location: PlanLocation,
  asked: { readonly phase: ReasoningPhase; readonly task: string | undefined; readonly plans: readonly PlanLocation[] },
): Promise<ContextPreview> {
  const { disk, promptsDirectory } = services;
  const { phase, plans } = asked;
  const base = await loadPlanTexts(disk, location.directory, filesStaged(phase));
  const task = phase === 'work' ? chooseTask(base, asked.task).id : undefined;
  if (asked.task !== undefined && task === undefined) {
    const message = `There is no task "${asked.task}" in the backlog of ${location.id}.`;
    throw failure('state/unknownRecord', location.id, message);
  }
  const plan = await loadPlan(disk, location);
  const settings = settingsOfPlan(services.settings, plan.state);
  const { harness } = settings.run;
  const about = { plan: location.id, phase, session: noSession, harness, startedAt: '', folder: {} };
  const { context, systemPrompt, prompt } = await renderContext({
    ...{ services, location, base, plans },
    transaction: { ...about, ...defined({ task }) },
    description: plan.state?.description ?? '',
    state: await loadRunState(services, location.id),
    tools: toolsOfPhase(phase, harness),
    memoryStyle: await readText(disk, join(promptsDirectory, 'memory-style.md')),
    memory: settings.memory,
    confined: undefined,
    earlierEnd: undefined,
  });
  return {
    ...{ plan: location.id, phase, given: context.given, systemPrompt, prompt },
    ...defined({ task, memory: context.memory, problem: await problemOf(services, location, plan, phase) }),
  };
}

/** The fault for which the phase would be refused. */
async function problemOf(
  services: PlanServices,
  location: PlanLocation,
  plan: LoadedPlan,
  phase: ReasoningPhase,
): Promise<Diagnostic | undefined> {
  try {
    await assertReadable(services, location, plan, phase);
    return undefined;
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return error.diagnostic;
  }
}
