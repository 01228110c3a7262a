import * as z from 'zod';
import type { QualifiedId, Ulid } from './id.ts';
import { actorSchema, ulidSchema } from './idSchemas.ts';
import type { Sender } from './message.ts';
import { person } from './person.ts';

/** How sure an answer is, in the words of the session that gave it. */
export const answerConfidences = ['high', 'medium', 'low'] as const;
export type AnswerConfidence = (typeof answerConfidences)[number];

/** An entry that an answer rests on, with the words of it that say so. */
export interface CitedPassage {
  readonly entry: string;
  readonly title: string;
  /** From the vault on, with `/`. */
  readonly path: string;
  /** SHA-256 of the entry's file as it was given. */
  readonly hash: string;
  readonly passage: string;
}

export const citedPassageSchema: z.ZodType<CitedPassage> = z.looseObject({
  entry: z.string(),
  title: z.string(),
  path: z.string(),
  hash: z.string(),
  passage: z.string(),
});

/** An entry that a session was given. */
export interface ReceiptEntry {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly hash: string;
}

/** A question of the expert, and what its asker replied. */
export interface DialogueTurn {
  readonly asked: string;
  readonly reply: string;
}

/** Who was given an answer, and to which question. */
export interface Asker {
  readonly id: Ulid;
  readonly from: Sender;
}

/** What an answer of an expert was made of: enough to tell whether it would be asked in the same way today. */
export interface AnswerReceipt {
  /** That of the question. */
  readonly id: Ulid;
  readonly at: string;
  readonly expert: QualifiedId;
  readonly from: Sender;
  readonly question: string;
  readonly dialogue: readonly DialogueTurn[];
  /** In the order in which they were given. */
  readonly entries: readonly ReceiptEntry[];
  /** SHA-256 of the persona, and of the prompts with the tools. */
  readonly persona: string;
  readonly template: string;
  /** Of the harness and the model that was wished for. */
  readonly model: string;
  /** As the session reported it. */
  readonly reported?: string;
  /** SHA-256 over all that decides what the session was given. */
  readonly key: string;
  readonly session: Ulid;
  readonly promptBytes: number;
  readonly usd?: number;
  /** `unknown`: the expert said that it does not know. */
  readonly state: 'answered' | 'unknown';
  readonly answer: string;
  readonly citations: readonly CitedPassage[];
  readonly confidence?: AnswerConfidence;
  /** Whether every citation stood in what was given. */
  readonly isSupported: boolean;
  /** Others who were given the answer without a session, each with their latest question. */
  readonly reusedBy?: readonly Asker[];
  /** Whether all askers were told that an entry which is cited has changed. */
  readonly isStaleTold?: boolean;
}

const senderSchema = z.union([z.literal(person), actorSchema]);

export const receiptSchema: z.ZodType<AnswerReceipt> = z.looseObject({
  id: ulidSchema,
  at: z.string(),
  expert: actorSchema,
  from: senderSchema,
  question: z.string(),
  dialogue: z.array(z.looseObject({ asked: z.string(), reply: z.string() })),
  entries: z.array(z.looseObject({ id: z.string(), title: z.string(), path: z.string(), hash: z.string() })),
  persona: z.string(),
  template: z.string(),
  model: z.string(),
  reported: z.string().exactOptional(),
  key: z.string(),
  session: ulidSchema,
  promptBytes: z.number(),
  usd: z.number().exactOptional(),
  state: z.enum(['answered', 'unknown']),
  answer: z.string(),
  citations: z.array(citedPassageSchema),
  confidence: z.enum(answerConfidences).exactOptional(),
  isSupported: z.boolean(),
  reusedBy: z.array(z.looseObject({ id: ulidSchema, from: senderSchema })).exactOptional(),
  isStaleTold: z.boolean().exactOptional(),
});

/** All who were given the answer. */
export function askersOf({ id, from, reusedBy = [] }: AnswerReceipt): readonly Asker[] {
  return [{ id, from }, ...reusedBy];
}
