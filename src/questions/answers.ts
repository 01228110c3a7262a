import * as z from 'zod';
import { formatTimestamp } from '../base/clock.ts';
import { RecordFolder } from '../base/recordFolder.ts';
import { isUlid, type Ulid } from '../model/id.ts';
import { actorSchema, ulidSchema } from '../model/idSchemas.ts';
import { person } from '../model/person.ts';
import { answerConfidences, citedPassageSchema } from '../model/receipt.ts';
import type { Answer } from '../model/requests/messages.ts';
import { unreadableRecord } from '../model/unreadableRecord.ts';
import { type FilePlaces, readOfMonths } from '../vault/monthFolders.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import { yamlText } from '../yaml/yamlText.ts';
import type { QuestionPorts } from './questionPorts.ts';

const answerSchema: z.ZodType<Answer> = z.looseObject({
  query: ulidSchema,
  question: z.string(),
  from: z.union([z.literal(person), actorSchema]),
  by: actorSchema,
  at: z.string(),
  state: z.enum(['answered', 'refused']),
  text: z.string(),
  citations: z.array(z.string()).default([]),
  session: ulidSchema.exactOptional(),
  usd: z.number().exactOptional(),
  passages: z.array(citedPassageSchema).exactOptional(),
  confidence: z.enum(answerConfidences).exactOptional(),
  isSupported: z.boolean().exactOptional(),
  reusedFrom: ulidSchema.exactOptional(),
  isByPerson: z.boolean().exactOptional(),
});

/** The answer to a question, however old; undefined while there is none. Throws `message/unreadable`. */
export function loadAnswer(ports: VaultPorts, query: Ulid): Promise<Answer | undefined> {
  return answerFolder(ports).load(query);
}

/** Whether there is an answer, readable or not. */
export async function isAnswered({ disk, layout }: VaultPorts, query: Ulid): Promise<boolean> {
  return (await readOfMonths(disk, placesOfAnswer(layout, query))) !== undefined;
}

/** `runtime/answers/<ulid>.yaml`; those of earlier months in a folder for each. */
export function answerFolder({ disk, layout }: VaultPorts): RecordFolder<Ulid, Answer> {
  return new RecordFolder({
    ...{ disk, folder: layout.answers, text: yamlText, schema: answerSchema, isPrivate: true },
    ...{ isId: isUlid, idOf: ({ query }) => query },
    find: (query) => readOfMonths(disk, placesOfAnswer(layout, query)),
    unreadable: unreadableRecord('message/unreadable', 'the answer to a question'),
  });
}

export function placesOfAnswer(layout: VaultPorts['layout'], id: Ulid): FilePlaces {
  return { id, live: layout.answer(id), months: layout.answers };
}

/**
 * Keeps `runtime/answers/<ulid>.yaml`, then emits an event. The first answer to a question holds: given again after a
 * crash, or by a second session, it changes nothing. Returns the one that holds.
 */
export async function saveAnswer(
  ports: VaultPorts & Pick<QuestionPorts, 'clock' | 'emit'>,
  answer: Answer,
): Promise<Answer> {
  const kept = answerFolder(ports);
  const known = await kept.load(answer.query);
  if (known === undefined) await kept.save(answer.query, answer);
  const { query, by, state } = known ?? answer;
  const at = formatTimestamp(ports.clock.wallMs());
  ports.emit({ at, actor: by, type: 'query.answered', query, by, state });
  return known ?? answer;
}
