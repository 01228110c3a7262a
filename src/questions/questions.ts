import * as z from 'zod';
import { jsonLine, RecordFolder } from '../base/recordFolder.ts';
import { isUlid, type QualifiedId, type Ulid } from '../model/id.ts';
import { ulidSchema } from '../model/idSchemas.ts';
import { messageSchema } from '../model/message.ts';
import { unreadableRecord } from '../model/unreadableRecord.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

/** A session's answer. It counts as soon as the session is told that it was accepted. */
const answerSchema = z.looseObject({
  state: z.enum(['answered', 'refused']),
  text: z.string(),
  citations: z.array(z.string()),
});

export type QueryAnswer = Readonly<z.infer<typeof answerSchema>>;

type Query = Extract<z.infer<typeof messageSchema>, { type: 'query' }>;

export interface Question {
  readonly message: Query;
  /** The session that is asked; on disk before it is started. */
  readonly session?: Ulid;
  readonly answer?: QueryAnswer;
}

const questionSchema: z.ZodType<Question> = z.looseObject({
  message: messageSchema.refine((message): message is Query => message.type === 'query', 'it is not a question'),
  session: ulidSchema.exactOptional(),
  answer: answerSchema.exactOptional(),
});

/** The questions to a plan or an expert that have no answer yet: `runtime/questions/<actor>/<query>.json`. */
export function questionsTo({ disk, layout }: VaultPorts, actor: QualifiedId): RecordFolder<Ulid, Question> {
  return new RecordFolder({
    ...{ disk, folder: layout.questionsOf(actor), text: jsonLine, isPrivate: true },
    ...{ schema: questionSchema, isId: isUlid, idOf: ({ message }) => message.id },
    unreadable: unreadableRecord('message/unreadable', 'a question'),
  });
}
