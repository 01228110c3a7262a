import { join } from 'node:path';
import * as z from 'zod';
import { ifThere } from '../../base/diskErrors.ts';
import { ensureDirectory, readText, writeAtomic } from '../../base/files.ts';
import { parseJson } from '../../base/json.ts';
import { failure } from '../../model/codes.ts';
import { isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';
import { messageSchema } from '../../model/message.ts';
import { listUlidFiles } from '../../vault/ulidFiles.ts';
import type { PlanServices } from '../services.ts';

type QuestionPorts = Pick<PlanServices, 'disk' | 'layout'>;

const ulid = z.custom<Ulid>((value) => typeof value === 'string' && isUlid(value), 'it is not a ULID');

/** A session's answer. It counts as soon as the session is told that it was accepted. */
const answerSchema = z.looseObject({
  state: z.enum(['answered', 'refused']),
  text: z.string(),
  citations: z.array(z.string()),
});

const questionSchema = z.looseObject({
  message: messageSchema,
  /** The session that is asked; on disk before it is started. */
  session: ulid.optional(),
  answer: answerSchema.optional(),
});

export type QueryAnswer = Readonly<z.infer<typeof answerSchema>>;

/** A question to a plan that has no answer yet: `runtime/questions/<plan>/<query>.json`. */
export interface Question {
  readonly message: Extract<z.infer<typeof messageSchema>, { type: 'query' }>;
  readonly session?: Ulid;
  readonly answer?: QueryAnswer;
}

/** Ids of the questions to a plan, the oldest first. */
export function listQuestions({ disk, layout }: QuestionPorts, plan: QualifiedId): Promise<readonly Ulid[]> {
  return listUlidFiles(disk, layout.questionsOf(plan));
}

/** Throws `message/unreadable`. */
export async function loadQuestion({ disk, layout }: QuestionPorts, plan: QualifiedId, query: Ulid): Promise<Question> {
  const file = join(layout.questionsOf(plan), `${query}.json`);
  const { data, error } = questionSchema.safeParse(parseJson(await readText(disk, file)));
  if (data?.message.type === 'query') return data as Question;
  const problem = error === undefined ? 'it is not a question' : z.prettifyError(error);
  throw failure('message/unreadable', query, `The question ${query} cannot be read: ${problem}`, { file });
}

export async function saveQuestion(
  { disk, layout }: QuestionPorts,
  plan: QualifiedId,
  question: Question,
): Promise<void> {
  const folder = layout.questionsOf(plan);
  await ensureDirectory(disk, folder, 0o700);
  const text = `${JSON.stringify(question)}\n`;
  await writeAtomic(disk, join(folder, `${question.message.id}.json`), text, { permissions: 0o600 });
}

export async function removeQuestion({ disk, layout }: QuestionPorts, plan: QualifiedId, query: Ulid): Promise<void> {
  const file = join(layout.questionsOf(plan), `${query}.json`);
  await ifThere(file, () => disk.unlink(file));
}
