import * as z from 'zod';
import type { Range } from '../../base/errors.ts';
import type { Completion, DocumentReference, InspectedDocument, Repair } from '../document.ts';
import { path } from './parameters.ts';

const document = {
  file: path.min(1).describe('absolute path, through the vault or through the project'),
  /** As it stands in an editor; the file's own unless told. */
  text: z.string().optional(),
};

const position = z.object({ line: z.number().int().nonnegative(), character: z.number().int().nonnegative() });

/** Requests of editors, about the files that people write in; none changes anything. */
export const documentRequests = {
  documents: z.object({}).describe('the places of files that people edit: folders, and patterns below each'),
  inspect_document: z
    .object(document)
    .describe(
      'everything that an editor shows of one of them, for its `text` or as it is on disk: its `kind`, its problems (with related places), its records and the names in it with their targets; nothing for any other file',
    ),
  /** `range`: only for what is wrong there. */
  repairs: z
    .object({ ...document, range: z.object({ start: position, end: position }).optional() })
    .describe('fixes of the problems there, or in a `range`, as edits of the text'),
  complete_at: z.object({ ...document, position }).describe('possible texts at a `position`: keys, words, ids'),
  describe_at: z.object({ ...document, position }).describe('the meaning of a key at a `position`, or of a name there'),
} as const;

/** Where documents lie. */
export interface DocumentFolder {
  readonly folder: string;
  /** Of paths below it. */
  readonly patterns: readonly string[];
  /** The way through the vault to the same folder, which diagnostics name. */
  readonly link?: string;
}

export interface DocumentResults {
  documents: { readonly folders: readonly DocumentFolder[] };
  /** Without a document: the file is none that Ravel reads, or it is too large to be looked at while it is being edited. */
  inspect_document: { readonly document?: InspectedDocument };
  repairs: { readonly repairs: readonly Repair[] };
  complete_at: {
    readonly completions: readonly Completion[];
    /** Whether there are more, so that further typing finds others. */
    readonly isCut: boolean;
  };
  describe_at: {
    readonly range?: Range;
    /** What a key means, in Markdown. */
    readonly meaning?: string;
    readonly reference?: DocumentReference;
  };
}
