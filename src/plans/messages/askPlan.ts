import * as z from 'zod';
import { shortened } from '../../base/text.ts';
import type { ConsultationRequest, ConsultationTool } from '../../harness/consultation.ts';
import { failed, formatRefusal } from '../../harness/toolAnswers.ts';
import { backlogSchema } from '../../model/backlog.ts';
import { diagnostic } from '../../model/codes.ts';
import { nearestNames } from '../../model/nearest.ts';
import { type PlanTexts, planFiles } from '../../model/plan.ts';
import { foreign, ownName, ownWords, type PromptText } from '../../model/promptText.ts';
import type { CallResult } from '../../model/requests/sessions.ts';
import type { Settings } from '../../model/settings.ts';
import type { Answerer, AnswerTurn } from '../../questions/answerTurn.ts';
import type { Question } from '../../questions/questions.ts';
import { readMemoryFile } from '../../vault/memoryFile.ts';
import { loadPlan, loadPlanTexts } from '../../vault/planStore.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { formatYaml, readYaml } from '../../yaml/yaml.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { settingsOfPlan } from '../planSettings.ts';
import type { PlanServices } from '../services.ts';

/** Characters of an answer, and of the reason for none. */
const answerCharactersMax = 32_000;

const memoryKbMax = 200;
/** Characters of the other parts of the prompt. A longer part is cut, and the prompt says so. */
const backlogCharactersMax = 100_000;
const questionCharactersMax = 32_000;
const reasonCharactersMax = 2_000;

const answerArgs = z.object({
  text: z.string().trim().min(1).max(answerCharactersMax).describe('The answer; it must stand by itself.'),
  citations: z
    .array(z.string().min(1).max(200))
    .max(50)
    .default([])
    .describe('Ids of the memory entries and tasks that the answer rests on, each as it stands in the material.'),
});

const declineArgs = z.object({
  reason: z.string().trim().min(1).max(answerCharactersMax).describe('What is not known here, and who may know it.'),
});

/**
 * Questions to plans: each is asked over the plan's scope, memory and backlog as they are now, with nothing else to
 * read.
 */
export function createPlanAnswerer(parts: {
  readonly services: Pick<PlanServices, 'disk' | 'settings' | 'memories'>;
  readonly directory: Pick<PlanDirectory, 'find'>;
}): Answerer {
  const { services, directory } = parts;
  return {
    atOnce: 1,
    async prepare(plan, question, turn) {
      return { kind: 'ask', request: await questionToPlan(services, await directory.find(plan), question, turn) };
    },
  };
}

async function questionToPlan(
  services: Pick<PlanServices, 'disk' | 'settings' | 'memories'>,
  location: PlanLocation,
  { message }: Question,
  { session, keep }: AnswerTurn,
): Promise<ConsultationRequest> {
  const { id: plan } = location;
  const { state } = await loadPlan(services.disk, location);
  const files = [planFiles.memory, planFiles.backlog] as const;
  const texts = await loadPlanTexts(services.disk, location.directory, files);
  const memory = await services.memories.prompt({
    text: texts.get(planFiles.memory) ?? '',
    task: { title: message.reason ?? '', description: message.question },
    settings: withBound(settingsOfPlan(services.settings, state).memory),
    reader: 'consultation',
  });
  return {
    ...{ session, purpose: 'answer', actor: plan, plan },
    system: { file: 'consultation.md', values: {} },
    prompt: {
      file: 'answer.md',
      values: {
        PLAN: ownName(plan),
        DESCRIPTION: foreign('scope', state?.description, '(its description cannot be read)'),
        MEMORY: memory.text,
        BACKLOG: backlogShown(texts, plan),
        ASKER: ownName(message.from),
        REASON: foreign('reason', shortened(message.reason ?? '', reasonCharactersMax), '(none was given)'),
        QUESTION: foreign('question', shortened(message.question, questionCharactersMax)),
      },
    },
    tools: answerTools(plan, citable(texts, plan), keep),
    timeMs: services.settings.limits['answer-minutes'] * 60_000,
  };
}

/** Where a vault wants memories whole, one that is too long for a prompt is still chosen from. */
function withBound(settings: Settings['memory']): Settings['memory'] {
  return settings.given === 'all' ? { ...settings, given: 'relevant', 'budget-kb': memoryKbMax } : settings;
}

function answerTools(plan: string, known: readonly string[], keep: AnswerTurn['keep']): ConsultationTool[] {
  return [
    {
      name: 'answer',
      description: 'Answer the question, and end. Name what the answer rests on.',
      args: answerArgs,
      async call(args) {
        const { text, citations } = answerArgs.parse(args);
        const unknown = citations.find((citation) => !known.includes(citation));
        if (unknown !== undefined) return refused(plan, unknown, known);
        await keep({ state: 'answered', text, citations });
        return taken;
      },
    },
    {
      name: 'decline',
      description: 'Say that the question cannot be answered from the material, and end.',
      args: declineArgs,
      async call(args) {
        await keep({ state: 'refused', text: declineArgs.parse(args).reason, citations: [] });
        return taken;
      },
    },
  ];
}

const taken = { text: 'The answer was taken; end the session now.', isError: false, ends: true };

/** A source that does not exist is the surest sign of an answer that was made up. */
function refused(plan: string, citation: string, known: readonly string[]): CallResult {
  const near = nearestNames(citation, known);
  const message = `Neither the memory nor the backlog has anything with the id "${citation}".`;
  const help = near.length === 0 ? 'Leave the citation out.' : `The nearest are: ${near.join(', ')}.`;
  return failed(formatRefusal(diagnostic('state/unknownRecord', plan, message, { help })));
}

/** The backlog as its file has it; of a long one the tasks alone, since the rest of it is what others wrote. */
function backlogShown(texts: PlanTexts, plan: string): PromptText {
  const text = texts.get(planFiles.backlog)?.trimEnd();
  if (text === undefined || text.length <= backlogCharactersMax) {
    return foreign('backlog', text, '(the backlog is missing)');
  }
  const { value } = readYaml(backlogSchema, text, { file: planFiles.backlog, subject: plan });
  if (value === undefined) return foreign('backlog', shortened(text, backlogCharactersMax));
  const tasks = shortened(formatYaml({ tasks: value.tasks ?? [] }).trimEnd(), backlogCharactersMax);
  return [...foreign('backlog', tasks), ...ownWords('(the messages that it holds are left out)')];
}

function citable(texts: PlanTexts, plan: string): string[] {
  const textOf = (file: 'memory.yaml' | 'backlog.yaml') => texts.get(file) ?? '';
  const memory = readMemoryFile(textOf(planFiles.memory), { file: planFiles.memory, subject: plan }).value;
  const backlog = readYaml(backlogSchema, textOf(planFiles.backlog), { file: planFiles.backlog, subject: plan }).value;
  return [...(memory?.entries ?? []), ...(backlog?.tasks ?? [])].map(({ id }) => id);
}
