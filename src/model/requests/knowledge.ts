import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import { type Confidence, confidences, type EntryStatus, entryKinds, entryStatuses, knowledgeAxes } from '../entry.ts';
import type { Ulid } from '../id.ts';
import type { Json } from '../json.ts';
import { name } from './parameters.ts';

const namesMax = 50;
const names = z.array(name).max(namesMax).optional();
/** Rows of one answer. */
export const entriesMax = 1000;
/** Characters of one statement or body that a request can bring. */
export const entryTextMax = 1_000_000;

const entry = name.min(1).describe('an id, a title, an alias, or a path below `knowledge/`');
const text = z.string().min(1).max(entryTextMax);
const reason = z.string().min(1).max(10_000);
/** Texts that were given to who proposes an entry. */
export const givenMax = 50;

/** Requests about what a vault and its projects know. */
export const knowledgeRequests = {
  entries: z
    .object({
      axis: name.optional(),
      project: name.optional().describe('only what this project knows; empty for the vault itself'),
      tags: names,
      kinds: names,
      statuses: z.array(z.enum(entryStatuses)).optional().describe('without it all but the archived ones'),
      confidences: z.array(z.enum(confidences)).optional(),
      after: name.optional().describe('the entry before the first one, by its path in the vault'),
      from: z.number().int().nonnegative().default(0),
      limit: z.number().int().positive().max(entriesMax).default(200),
    })
    .describe(
      'the entries of `knowledge/` of the vault and its projects, those of an `axis`, a `project`, with one of the `tags`, `kinds`, `statuses` and `confidences`; `limit` of them (200), the next ones `after` an entry, or beginning with number `from`; of a large vault only files that the answer takes are read, and `isAtMost` says that others count in `total` and `more` as if they fitted',
    ),
  entry: z
    .object({ entry })
    .describe('one entry in full: its fields, its text, its links in both directions, its uses'),
  search_knowledge: z
    .object({
      query: z.string().max(100_000),
      expert: name.min(1).optional().describe('only what this expert answers from'),
      axis: name.min(1).optional(),
      tags: names,
      limit: z.number().int().positive().max(50).default(10),
      bytes: z.number().int().positive().optional().describe('limit for the entries together'),
      bodies: z.boolean().optional(),
    })
    .describe(
      'entries that fit a `query` best, those of the scope of an `expert`, of an `axis`, with one of the `tags`: `limit` of them (10), of `bytes` together, with what they say if `bodies` is true',
    ),
  knowledge_gaps: z
    .object({})
    .describe(
      'what the knowledge lacks: languages with few entries, tags used once, entries that are not proven, questions that experts could not answer',
    ),
  explore_knowledge: z
    .object({ tag: name.min(1).optional(), axis: name.min(1).optional() })
    .describe(
      'where the knowledge could grow, for a `tag` or an `axis` or all of it: gaps, questions that experts could not answer and how often they were asked, tags that seem to belong together and are not connected, entries that are cited and not proven',
    ),
  read_horizon: z
    .object({
      text,
      source: z.string().trim().min(1).max(500).describe('what the text is, such as the name of its file'),
      expert: name.min(1).optional().describe('the expert that reads it'),
    })
    .describe(
      'finds at most ten ideas in a `text` of others, of at most 1 MB, by a fresh session for each part of it; those whose quotation stands in the text and that no entry says yet are staged as `prospective`',
    ),
  knowledge_links: z
    .object({})
    .describe('what is wrong between entries: links to nothing or with one end, equal titles and ids, circles'),
  add_entry: z
    .object({
      title: z.string().min(1).max(1000),
      body: text,
      project: name.optional(),
      folder: name.optional().describe('below `knowledge/`; in the vault it begins with an axis'),
      kind: z.enum(entryKinds).optional(),
      tags: names,
      aliases: names,
      topic: name.optional(),
      confidence: z.enum(['medium', 'low', 'prospective']).default('low'),
      source: z.string().max(2000).optional(),
      /** Texts that were given to who proposes the entry: what repeats them is not new. */
      given: z.array(z.string().max(entryTextMax)).max(namesMax).default([]),
    })
    .describe('adds an entry of that `title` and `body`, with the checks of the write gate'),
  remember: z
    .object({
      title: z.string().min(1).max(1000),
      statement: text,
      tags: names,
      axis: z.enum(knowledgeAxes).optional(),
      project: name.optional(),
      by: z.string().min(1).max(200).describe('the agent that proposes it'),
      session: z.string().max(200).optional(),
      /** Texts that were given to who proposes the entry: what repeats them is not new. */
      given: z.array(z.string().max(entryTextMax)).max(givenMax).default([]),
    })
    .describe(
      'stages a `statement` of an agent under a `title`, with low confidence and the checks of the write gate; an entry that says the same is named instead',
    ),
  validate_entry: z
    .object({ entry, project: name.optional(), context: z.string().max(2000).optional() })
    .describe('says that an entry still holds; with a `project` that it held there, which can raise its confidence'),
  supersede_entry: z
    .object({
      entry,
      by: name.min(1).optional().describe('the entry that takes its place'),
      section: z.string().max(1000).optional(),
      text: text.optional().describe('the new statement; the old one moves under `## Superseded`'),
      confidence: z.enum(confidences).optional(),
      reason,
    })
    .describe(
      'replaces an entry `by` another one, with links at both ends, or a statement of it by a `text`; refused where the new evidence is weaker',
    ),
  contradict_entry: z
    .object({ entry, other: name.min(1), reason })
    .describe('links two entries that contradict each other; both stand'),
  rename_entry: z
    .object({ entry, title: z.string().min(1).max(1000) })
    .describe('gives an entry another `title`; the old one becomes an alias'),
  merge_entries: z
    .object({ entry, into: name.min(1) })
    .describe(
      'merges an entry `into` another one, which keeps its statements, title and aliases; the first is archived',
    ),
  archive_entry: z.object({ entry, reason }).describe('moves an entry to the archive, where links still find it'),
  restore_entry: z.object({ entry }).describe('brings an archived entry back to where it was'),
  delete_entry: z
    .object({ entry, reason })
    .describe('asks a person whether an entry, as it is now, is to be deleted; the answer holds once'),
  record_use: z
    .object({
      entry: z.union([entry, z.array(entry).min(1).max(namesMax)]),
      kind: z.enum(['opened', 'shown']).default('opened'),
    })
    .describe(
      'says that a person opened an entry, or several; or, with the `kind` `shown`, that an agent was shown them',
    ),
} as const;

/** An entry in a list. */
export interface EntryRow {
  /** Its path in the vault, by which it can always be named. */
  readonly entry: string;
  readonly id?: Ulid;
  readonly title: string;
  readonly kind: string;
  readonly status: EntryStatus;
  readonly confidence: Confidence;
  readonly tags: readonly string[];
  /** Empty for an entry of a project. */
  readonly axis: string;
  /** Empty for an entry of the vault. */
  readonly project: string;
  readonly version: number;
  readonly created?: string;
  readonly lastValidated?: string;
  readonly file: string;
  readonly bytes: number;
}

/** An entry that fits a query. */
export interface KnowledgeHit extends EntryRow {
  /** The line of the entry that fits best; empty if it has none besides its title. */
  readonly line: string;
  readonly score: number;
  /** What it says, if that was asked for. What looks like a secret is left out. */
  readonly body?: string;
}

/** A link of an entry, and where it leads. */
export interface EntryLinkRow {
  readonly key: string;
  readonly target: string;
  /** None for a link to nothing; several for a name that several entries have. */
  readonly leadsTo: readonly { readonly entry: string; readonly title: string }[];
}

export interface EntryUses {
  readonly shown: number;
  readonly cited: number;
  readonly opened: number;
  readonly confirmed: number;
  /** A citation and an opening count 1, a proof 3, what was only shown 0. */
  readonly weight: number;
  readonly sessions: number;
  readonly projects: number;
  /** Time of the last use that counts; empty if there was none. */
  readonly last: string;
}

export interface EntryPage {
  readonly row: EntryRow;
  /** The whole frontmatter, also the keys that Ravel does not know. */
  readonly fields: Readonly<Record<string, Json>>;
  readonly body: string;
  /** Whether the body is longer and was cut. */
  readonly isCut: boolean;
  /** Headings of the sections whose statement can be superseded; empty for the text before the first heading. */
  readonly statements: readonly string[];
  readonly links: readonly EntryLinkRow[];
  readonly backlinks: readonly { readonly key: string; readonly entry: string; readonly title: string }[];
  /** Absent if it was never used. */
  readonly uses?: EntryUses;
}

/** What a change of entries did. */
export interface EntryChangeResult {
  readonly did: string;
  /** The entries that it touched, by their paths in the vault. */
  readonly entries: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface KnowledgeGap {
  readonly kind: 'language' | 'tag' | 'unproven' | 'question';
  /** One sentence. */
  readonly text: string;
  /** The entries that it is about, by their paths in the vault. */
  readonly entries: readonly string[];
}

/** A question that experts could not answer. */
export interface AskedQuestionRow {
  /** As it was asked last. */
  readonly question: string;
  readonly times: number;
  readonly last: string;
  /** Sorted. */
  readonly experts: readonly string[];
  /** What an expert said is missing. */
  readonly missing?: string;
}

/** Two tags that seem to belong together, and that nothing connects. */
export interface TagConnection {
  /** Sorted. */
  readonly tags: readonly [string, string];
  /** How alike the two entries are, 0 to 1; one more if one cites the other. */
  readonly score: number;
  readonly isCited: boolean;
  /** Pairs of entries that speak for it. */
  readonly pairs: number;
  /** Those that speak most for it. */
  readonly entries: readonly [
    { readonly entry: string; readonly title: string },
    { readonly entry: string; readonly title: string },
  ];
}

/** An entry that others rely on although it is not proven. */
export interface UnprovenRow {
  readonly entry: string;
  readonly title: string;
  readonly confidence: Confidence;
  /** Uses that cite it, and links of other entries. */
  readonly citations: number;
}

/** What came of a text that a person handed in. */
export interface HorizonReport {
  readonly kept: readonly { readonly entry: string; readonly title: string; readonly passage: string }[];
  /** Without a title it is what a session says about its part of the text. */
  readonly refused: readonly { readonly title: string; readonly reason: string }[];
  /** Parts whose session ended without an answer; one sentence each. */
  readonly unread: readonly string[];
}

export interface KnowledgeResults {
  entries: {
    readonly entries: readonly EntryRow[];
    /** How many fit, and how many of them come behind these. */
    readonly total: number;
    readonly more: number;
    /** Whether files that were not looked at count as entries that fit. */
    readonly isAtMost: boolean;
    /** Files that could not be read as entries; what is wrong between entries is told by `knowledge_links`. */
    readonly diagnostics: readonly Diagnostic[];
  };
  entry: EntryPage;
  search_knowledge: {
    /** The best first. */
    readonly hits: readonly KnowledgeHit[];
    /** Entries that fit the query and not the bytes. */
    readonly skipped: number;
    readonly diagnostics: readonly Diagnostic[];
  };
  knowledge_gaps: {
    readonly gaps: readonly KnowledgeGap[];
    /** Gaps of experts that cannot be read. */
    readonly diagnostics: readonly Diagnostic[];
  };
  explore_knowledge: {
    /** Languages with few entries and tags that are used once. */
    readonly gaps: readonly KnowledgeGap[];
    /** What was asked most often first. */
    readonly questions: readonly AskedQuestionRow[];
    /** The strongest first. */
    readonly connections: readonly TagConnection[];
    /** What is cited most first. */
    readonly unproven: readonly UnprovenRow[];
    /** How many there are of each, shown or not. */
    readonly totals: { readonly [Part in 'gaps' | 'questions' | 'connections' | 'unproven']: number };
    /** Entries that were compared, and those that have a tag. */
    readonly compared: { readonly entries: number; readonly of: number };
    readonly diagnostics: readonly Diagnostic[];
  };
  read_horizon: HorizonReport;
  knowledge_links: {
    readonly diagnostics: readonly Diagnostic[];
    readonly entries: number;
    /** Files that could not be read as entries, and are left out. */
    readonly unreadable: number;
  };
  add_entry: EntryChangeResult;
  remember: { readonly entry: string; readonly isNew: boolean; readonly diagnostics: readonly Diagnostic[] };
  validate_entry: EntryChangeResult;
  supersede_entry: EntryChangeResult;
  contradict_entry: EntryChangeResult;
  rename_entry: EntryChangeResult;
  merge_entries: EntryChangeResult;
  archive_entry: EntryChangeResult;
  restore_entry: EntryChangeResult;
  delete_entry: { readonly approval: Ulid; readonly entry: string };
  record_use: { readonly entries: readonly string[] };
}
