import type { Behaviour } from '../actors/behaviour.ts';
import { formatBytes } from '../base/text.ts';
import type { Code } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Message, MessageOutcome } from '../model/message.ts';
import type { AnswerQueue } from '../questions/answerQueue.ts';
import type { ExpertRegistry } from './expertRegistry.ts';

export interface ExpertActorParts {
  readonly registry: Pick<ExpertRegistry, 'current'>;
  readonly answers: Pick<AnswerQueue, 'take'>;
}

/** Bytes of a question, as UTF-8; a longer one is a document, and its asker can say what they want to know of it. */
export const questionBytesMax = 8 * 1024;

/** Handles the messages of an expert: it answers questions, and nothing else. Its state is in files. */
export function createExpertActor(parts: ExpertActorParts, expert: QualifiedId): Behaviour {
  return {
    handle: (message) => handle(parts, expert, message),
    stop: async () => undefined,
  };
}

async function handle(
  { registry, answers }: ExpertActorParts,
  expert: QualifiedId,
  message: Message,
): Promise<MessageOutcome> {
  if (message.type === 'reply') return { kind: 'done', summary: 'nothing to do' };
  if (message.type !== 'query') {
    return rejected('expert/questionsOnly', `${expert} answers questions and takes in nothing else.`);
  }
  if (message.from.startsWith('expert:')) {
    return rejected('expert/asksExpert', `${message.from} cannot ask ${expert}: experts do not ask experts.`);
  }
  const problem = questionProblem(message.question);
  if (problem !== undefined) return rejected('expert/badQuestion', problem);
  const { experts, diagnostics } = await registry.current();
  if (!experts.some(({ actor }) => actor === expert)) {
    const fault = diagnostics.find(({ subject }) => subject === expert);
    if (fault !== undefined) return rejected('expert/badDeclaration', `${expert} cannot answer: ${fault.message}`);
    return rejected('expert/removed', `${expert} is not declared any more.`);
  }
  await answers.take(expert, message);
  return { kind: 'done', summary: 'a session is asked' };
}

function questionProblem(question: string): string | undefined {
  if (question.trim() === '') return 'The question is empty.';
  const bytes = Buffer.byteLength(question);
  if (bytes <= questionBytesMax) return undefined;
  return `The question has ${formatBytes(bytes)}; an expert is asked at most ${formatBytes(questionBytesMax)}.`;
}

function rejected(code: Code, reason: string): MessageOutcome {
  return { kind: 'rejected', code, reason };
}
