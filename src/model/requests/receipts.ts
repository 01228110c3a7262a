import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { QualifiedId, Ulid } from '../id.ts';
import type { Sender } from '../message.ts';
import type { AnswerReceipt } from '../receipt.ts';
import { name } from './parameters.ts';

/** Receipts of one answer. */
export const receiptsMax = 1000;

/** Requests about what the answers of experts were made of. */
export const receiptRequests = {
  receipts: z
    .object({
      expert: name.optional(),
      /** An entry by its id, path or title. */
      entry: name.optional(),
      limit: z.number().int().positive().max(receiptsMax).default(100),
    })
    .describe(
      'the receipts of answers, the newest first: all, or those of an `expert`, or those whose answer rests on an `entry`, by its id, path or title',
    ),
  receipt: z
    .object({ id: name })
    .describe('one receipt, by the `id` of its question, and where the entries are now that it names'),
  compare_receipt: z
    .object({ id: name, other: name.optional() })
    .describe(
      'what has changed since a receipt, or between it and an `other`: entries, persona, prompts, model. `isSame` says whether its answer would be given again',
    ),
} as const;

export interface ReceiptRow {
  readonly id: Ulid;
  readonly at: string;
  readonly expert: QualifiedId;
  readonly from: Sender;
  /** Beginning of the question, on one line. */
  readonly question: string;
  readonly state: AnswerReceipt['state'];
  readonly isSupported: boolean;
  readonly usd?: number;
  /** Ids of the entries that the answer cites. */
  readonly cites: readonly string[];
}

/** Where an entry is now that a receipt names. */
export interface EntryPlaceNow {
  /** As the receipt has it. */
  readonly path: string;
  readonly state: 'same' | 'moved' | 'archived' | 'gone';
  /** From the vault on, with `/`; absent for one that is gone. */
  readonly now?: string;
}

export interface EntryDifference {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly change: 'same' | 'edited' | 'moved' | 'reordered' | 'added' | 'removed';
}

export interface ReceiptComparison {
  readonly isSame: boolean;
  /** What has changed besides the entries. */
  readonly changed: readonly ('question' | 'dialogue' | 'persona' | 'template' | 'model' | 'expert')[];
  /** Those of the first in their order, then those that came. */
  readonly entries: readonly EntryDifference[];
}

export interface ReceiptResults {
  /** `total` counts those that fit, also beyond the limit. */
  receipts: {
    readonly receipts: readonly ReceiptRow[];
    readonly total: number;
    readonly diagnostics: readonly Diagnostic[];
  };
  receipt: { readonly receipt: AnswerReceipt; readonly places: readonly EntryPlaceNow[] };
  compare_receipt: ReceiptComparison;
}
