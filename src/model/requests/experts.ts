import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { EntryStatus } from '../entry.ts';
import type { Expert } from '../expert.ts';
import type { UnansweredQuestion } from '../gap.ts';
import type { QualifiedId } from '../id.ts';
import { entryTextMax } from './knowledge.ts';
import type { OpenQuestionRow } from './messages.ts';
import { name } from './parameters.ts';
import type { ReceiptComparison, ReceiptRow } from './receipts.ts';

/** Requests about the experts that a vault declares, and those that come with Ravel. */
export const expertRequests = {
  experts: z.object({}).describe('the experts that the vault declares, and the problems of their declarations'),
  expert: z
    .object({ expert: name.min(1) })
    .describe(
      'one expert: its declaration, the entries in its scope, its open questions, its latest answers with what has changed since, and what it could not answer',
    ),
  shipped_experts: z
    .object({})
    .describe('the experts that come with Ravel, how many entries each of them knows, and whether the vault has it'),
  add_experts: z
    .object({ experts: z.array(name).max(100).optional().describe('their ids; all of them unless told') })
    .describe(
      'copies experts that come with Ravel, and the entries that they know, into the vault; no file is replaced',
    ),
  create_expert: z
    .object({
      expert: name.min(1).describe('its id'),
      description: z.string().max(10_000),
      persona: z.string().max(entryTextMax).describe('who it is; every session of it begins with this'),
      scope: z.array(name.min(1)).min(1).max(100).describe('folders below `knowledge/` of the vault'),
      tags: z.array(name.min(1)).max(100).default([]),
    })
    .describe('declares an expert of your own in `experts/`; a declaration that is there stays'),
} as const;

export interface ExpertRow {
  readonly actor: QualifiedId;
  readonly file: string;
  readonly declaration: Expert;
}

/** An entry or a plain note in the scope of an expert. */
export interface CoveredEntry {
  readonly title: string;
  /** From the vault on, with `/`. */
  readonly path: string;
  /** Absent for a plain note. */
  readonly kind?: string;
  readonly status?: EntryStatus;
}

export interface ExpertAnswerRow extends ReceiptRow {
  /** What has changed since; absent if that could not be found out. */
  readonly comparison?: ReceiptComparison;
}

export interface ExpertPage extends ExpertRow {
  /** Each as it is declared, with how many entries lie in it. */
  readonly scopes: readonly { readonly scope: string; readonly entries: number }[];
  /** By path. */
  readonly entries: { readonly total: number; readonly shown: readonly CoveredEntry[] };
  /** The oldest first. */
  readonly questions: readonly OpenQuestionRow[];
  /** The newest first. */
  readonly answers: { readonly total: number; readonly shown: readonly ExpertAnswerRow[] };
  /** Questions that it could not answer, the newest first. */
  readonly gaps: {
    readonly total: number;
    readonly shown: readonly Pick<UnansweredQuestion, 'id' | 'at' | 'question' | 'missing'>[];
  };
  /** What is wrong with its declaration or its scope. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ShippedExpertRow {
  readonly expert: string;
  readonly description: string;
  /** How many entries it knows. */
  readonly entries: number;
  /** Whether the vault declares an expert of that id. */
  readonly isAdded: boolean;
}

export interface AddedExperts {
  /** Ids of the experts that the vault did not have. */
  readonly experts: readonly string[];
  /** Paths in the vault of the files that were added. */
  readonly files: readonly string[];
  /** Paths of the files that the vault had already, under that path or as an entry of that id; they stay as they are. */
  readonly kept: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExpertResults {
  expert: ExpertPage;
  shipped_experts: { readonly experts: readonly ShippedExpertRow[] };
  add_experts: AddedExperts;
  create_expert: {
    readonly actor: QualifiedId;
    readonly file: string;
    /** Warnings, such as about a folder that does not exist yet. */
    readonly diagnostics: readonly Diagnostic[];
  };
  /** What is wrong with a declaration stands in `diagnostics`, under the expert's id. */
  experts: { readonly experts: readonly ExpertRow[]; readonly diagnostics: readonly Diagnostic[] };
}
