import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { QualifiedId } from '../id.ts';
import { name, plan } from './parameters.ts';

/** Where an entry that can be found is kept. */
export const searchPlaces = ['plans', 'memory', 'backlog', 'sessions', 'decisions', 'knowledge'] as const;
export type SearchPlace = (typeof searchPlaces)[number];

/** Characters of a query; of a longer text the beginning says enough. */
const queryLengthMax = 100_000;
const namesMax = 50;
/** Entries of one answer. */
export const searchLimitMax = 100;

const names = z.array(name).max(namesMax).optional();

/** Finding what the vault knows. */
export const searchRequests = {
  search: z
    .object({
      query: z.string().max(queryLengthMax),
      in: z.array(z.enum(searchPlaces)).max(searchPlaces.length).optional(),
      plan: plan.optional(),
      tags: names,
      kinds: names,
      statuses: names,
      limit: z.number().int().positive().max(searchLimitMax).optional().describe('20 by default'),
      bytes: z.number().int().positive().optional().describe('limit for all entries together'),
      explain: z.boolean().optional(),
      fresh: z.boolean().optional().describe('waits until every file that changed before is read'),
      typing: z.boolean().optional().describe('the last word can be the beginning of one'),
    })
    .describe(
      '`query`, and any of `in`, `plan`, `tags`, `kinds`, `statuses`, `limit`, `bytes`, `explain`: the entries of the vault that fit best, each with its place, file, title, best line and score; `fresh` waits for every file that changed before, `typing` takes the last word as the beginning of one',
    ),
} as const;

/** What gave a part of a score; the parts of a hit sum to its score. */
export interface SearchScorePart {
  readonly kind: 'word' | 'expansion' | 'neighbour' | 'factor' | 'meaning';
  readonly name: string;
  readonly score: number;
}

export interface SearchHit {
  readonly in: SearchPlace;
  /** Absent for what is of no plan. */
  readonly plan?: QualifiedId;
  /** Of the entry in its file; of a note, its path below its knowledge folder. */
  readonly id: string;
  readonly title: string;
  /** The line of the entry that fits best; empty if it has none besides its title. */
  readonly line: string;
  readonly score: number;
  /** Absolute path, through the vault. */
  readonly file: string;
  readonly kind?: string;
  readonly status?: string;
  readonly tags: readonly string[];
  /** Bytes of the whole entry. */
  readonly bytes: number;
  /** Empty unless it was asked for; the largest first. */
  readonly parts: readonly SearchScorePart[];
}

export interface SearchResults {
  search: {
    /** The best first; those of one score by their place, plan and id. */
    readonly hits: readonly SearchHit[];
    /** Entries that fit the query and not the bytes, until the answer had as many as were asked for. */
    readonly skipped: number;
    /** How many entries can be found. */
    readonly entries: number;
    /** Whether files are being read that changed since: a later search can find more. */
    readonly isUpdating: boolean;
    readonly diagnostics: readonly Diagnostic[];
  };
}
