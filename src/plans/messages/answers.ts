import * as z from 'zod';
import { ensureDirectory, writeAtomic } from '../../base/files.ts';
import { deriveUlid } from '../../base/ulid.ts';
import { failure } from '../../model/codes.ts';
import { isQualifiedId, isUlid, type Ulid } from '../../model/id.ts';
import { person, type ReplySubject, replyIdentity } from '../../model/message.ts';
import type { Answer } from '../../model/requests/messages.ts';
import { type FilePlaces, readOfMonths } from '../../vault/monthFolders.ts';
import { formatYaml, readYaml } from '../../yaml/yaml.ts';
import { emitFor, type PlanServices } from '../services.ts';

type AnswerPorts = Pick<PlanServices, 'disk' | 'layout'>;

const ulid = z.custom<Ulid>((value) => typeof value === 'string' && isUlid(value), 'it is not a ULID');
const actor = z.custom<Answer['by']>((value) => typeof value === 'string' && isQualifiedId(value), 'it names no actor');

const answerSchema = z.looseObject({
  query: ulid,
  question: z.string(),
  from: z.union([z.literal(person), actor]),
  by: actor,
  at: z.string(),
  state: z.enum(['answered', 'refused']),
  text: z.string(),
  citations: z.array(z.string()).default([]),
  session: ulid.optional(),
  usd: z.number().optional(),
});

/** The answer to a question, however old; undefined while there is none. Throws `message/unreadable`. */
export async function loadAnswer({ disk, layout }: AnswerPorts, query: Ulid): Promise<Answer | undefined> {
  const found = await readOfMonths(disk, placesOfAnswer(layout, query));
  if (found === undefined) return undefined;
  const { file, text } = found;
  const { value, diagnostics } = readYaml(answerSchema, text, { file, subject: query });
  if (value !== undefined) return value as Answer;
  const problem = diagnostics[0]?.message ?? 'it has another form';
  throw failure('message/unreadable', query, `The answer to ${query} cannot be read: ${problem}`, { file });
}

/** Whether there is an answer, readable or not. */
export async function isAnswered({ disk, layout }: AnswerPorts, query: Ulid): Promise<boolean> {
  return (await readOfMonths(disk, placesOfAnswer(layout, query))) !== undefined;
}

export function placesOfAnswer(layout: AnswerPorts['layout'], id: Ulid): FilePlaces {
  return { id, live: layout.answer(id), months: layout.answers };
}

/**
 * Keeps `runtime/answers/<ulid>.yaml`, then tells everybody. The first answer to a question holds: given again after a
 * crash, or by a second session, it changes nothing. Returns the one that holds.
 */
export async function saveAnswer(
  services: AnswerPorts & Pick<PlanServices, 'clock' | 'emit'>,
  answer: Answer,
): Promise<Answer> {
  const { disk, layout } = services;
  const known = await loadAnswer(services, answer.query);
  if (known === undefined) {
    await ensureDirectory(disk, layout.answers, 0o700);
    await writeAtomic(disk, layout.answer(answer.query), formatYaml(answer), { permissions: 0o600 });
  }
  const { query, by, state } = known ?? answer;
  emitFor(services, by, { type: 'query.answered', query, by, state });
  return known ?? answer;
}

/** The id of the message that tells a sender what became of its own: always the same, whichever process sends it. */
export function replyId(re: Ulid, about: ReplySubject): Ulid {
  return deriveUlid(replyIdentity(re, about)) as Ulid;
}
