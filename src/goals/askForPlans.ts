import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import type { Consult } from '../harness/consultation.ts';
import { failure } from '../model/codes.ts';
import type { HarnessName } from '../model/harnesses.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { type PlanProposal, proposedTasksMax } from '../model/planProposal.ts';
import { foreign, ownName, ownWords } from '../model/promptText.ts';
import { fileTools, type GoalToolState, proposeTool, questionTool } from './goalTools.ts';
import type { ProposalVerdict } from './judgePlanProposal.ts';
import type { ProjectFiles } from './projectFiles.ts';

export interface GoalSession {
  readonly session: Ulid;
  readonly under: QualifiedId;
  readonly goal: string;
  /** For a session without a model: a name of the goal that no task has in its title. */
  readonly name?: string;
  /** What the person was asked before, and said; a session that has it cannot ask again. */
  readonly answers?: string;
  readonly harness?: HarnessName;
  /** Absolute path of what the scripted harness plays. */
  readonly scenario?: string;
  readonly model?: string;
  readonly timeMs: number;
  readonly survey: string;
  readonly files: ProjectFiles;
}

/** What a session came to. */
export type GoalAnswer =
  | {
      readonly kind: 'proposal';
      readonly proposal: PlanProposal;
      readonly notes: readonly string[];
      readonly refused: number;
    }
  | { readonly kind: 'questions'; readonly questions: readonly string[]; readonly refused: number };

/**
 * Has a fresh session look at a project and propose plans for a goal. It learns why a proposal is refused, and can correct
 * it a few times. Throws `goal/noProposal` if it ends without one that is good, and what `consult` throws.
 */
export async function askForPlans(
  consult: Consult,
  judge: (proposal: PlanProposal) => Promise<ProposalVerdict>,
  asked: GoalSession,
  signal: AbortSignal,
): Promise<GoalAnswer> {
  const { session, under, goal, name, answers, harness, scenario, model, timeMs, survey, files } = asked;
  const state: GoalToolState = { refused: [] };
  const tools = [
    proposeTool(judge, state),
    ...(answers === undefined ? [questionTool(state)] : []),
    ...fileTools(files),
  ];
  const { end, output } = await consult(
    {
      ...{ session, purpose: 'plan', actor: 'vault', plan: under, tools, timeMs },
      system: { file: 'consultation.md', values: {} },
      prompt: {
        file: 'plan.md',
        values: {
          SCOPE: ownName(under),
          GOAL: foreign('goal', goal),
          ANSWERS: foreign('answers', answers, '(they were not asked)'),
          LIMIT: ownWords(String(proposedTasksMax)),
          SURVEY: foreign('survey', survey),
        },
      },
      ...(harness !== undefined && { harness }),
      ...defined({ scenario, model, task: name }),
    },
    signal,
  ).catch((error: unknown) => {
    // A session that used a tool without asking is not believed, whatever it proposed.
    if (isRavelError(error)) state.answer = undefined;
    throw error;
  });
  signal.throwIfAborted();
  if (state.answer !== undefined) return { ...state.answer, refused: state.refused.length };
  const last = state.refused.at(-1);
  const why =
    last === undefined
      ? `It ended (${end}) without one.${output === '' ? '' : ` It said: ${output.slice(-500)}`}`
      : `Its last proposal was refused: ${last.join(' ')}`;
  throw failure('goal/noProposal', under, `The session ${session} proposed nothing that could be taken. ${why}`);
}
