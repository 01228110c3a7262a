import * as z from 'zod';
import { jsonLine, RecordFolder } from '../base/recordFolder.ts';
import { isUlid, type QualifiedId, type Ulid } from '../model/id.ts';
import { ulidSchema } from '../model/idSchemas.ts';
import { messageSchema } from '../model/message.ts';
import { answerConfidences, citedPassageSchema, type DialogueTurn } from '../model/receipt.ts';
import { unreadableRecord } from '../model/unreadableRecord.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

/** A session's answer. It counts as soon as the session is told that it was accepted. */
const answerSchema = z.looseObject({
  state: z.enum(['answered', 'refused']),
  text: z.string(),
  citations: z.array(z.string()),
  passages: z.array(citedPassageSchema).exactOptional(),
  confidence: z.enum(answerConfidences).exactOptional(),
  /** Whether every citation could be checked; absent if citations are only names. */
  isSupported: z.boolean().exactOptional(),
  /** The receipt that it was taken from, without a session. */
  reusedFrom: ulidSchema.exactOptional(),
  /** What the code that answers needs to conclude it, in its own form. */
  details: z.unknown().optional(),
});

export type QueryAnswer = Readonly<z.infer<typeof answerSchema>>;

type Query = Extract<z.infer<typeof messageSchema>, { type: 'query' }>;

/** A question back, and what its asker said to it. */
export interface AskedBack {
  readonly asked: string;
  readonly at: string;
  readonly reply?: string;
  /** Chosen by the asker, so that a reply that is sent again is the same one. */
  readonly replyId?: string;
}

export interface Question {
  readonly message: Query;
  /** The session that is asked; on disk before it is started. */
  readonly session?: Ulid;
  readonly answer?: QueryAnswer;
  /** Oldest first. While the last one has no reply, no session is asked. */
  readonly askedBack?: readonly AskedBack[];
}

const questionSchema: z.ZodType<Question> = z.looseObject({
  message: messageSchema.refine((message): message is Query => message.type === 'query', 'it is not a question'),
  session: ulidSchema.exactOptional(),
  answer: answerSchema.exactOptional(),
  askedBack: z
    .array(
      z.looseObject({
        asked: z.string(),
        at: z.string(),
        reply: z.string().exactOptional(),
        replyId: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
});

/** The questions to a plan or an expert that have no answer yet: `runtime/questions/<actor>/<query>.json`. */
export function questionsTo({ disk, layout }: VaultPorts, actor: QualifiedId): RecordFolder<Ulid, Question> {
  return new RecordFolder({
    ...{ disk, folder: layout.questionsOf(actor), text: jsonLine, isPrivate: true },
    ...{ schema: questionSchema, isId: isUlid, idOf: ({ message }) => message.id },
    unreadable: unreadableRecord('message/unreadable', 'a question'),
  });
}

/** The question back that waits for its asker's reply. */
export function openTurn({ askedBack, answer }: Question): AskedBack | undefined {
  const last = askedBack?.at(-1);
  return answer === undefined && last?.reply === undefined ? last : undefined;
}

/** What was asked back and replied so far. */
export function dialogueOf({ askedBack = [] }: Question): readonly DialogueTurn[] {
  return askedBack.flatMap(({ asked, reply }) => (reply === undefined ? [] : [{ asked, reply }]));
}
