import * as z from 'zod';
import { isRecord } from '../base/json.ts';
import { fieldsOfChunk, isChunk } from './chunk.ts';
import { isEntryLink, withQuotes } from './entryLink.ts';
import { hiddenCharacters } from './id.ts';
import { ulidSchema } from './idSchemas.ts';

/** What an entry calls its form. Chunks of Reverie are read as entries, too. */
export const entrySchemaName = 'ravel.entry.v1';
const readableSchemas = [entrySchemaName, 'reverie.chunk.v1'] as const;

/** What an entry is about; the settings of a vault can add kinds. */
export const entryKinds = [
  ...['directive', 'preference', 'decision', 'reference', 'heuristic', 'session', 'config', 'bug'],
] as const;

/** How well an entry is proven, the best first; `prospective` is an idea that was never tried. */
export const confidences = ['high', 'medium', 'low', 'prospective'] as const;
export type Confidence = (typeof confidences)[number];

/** `staged` is new and was not placed yet; `archived` is put away, can be restored, and answers no question. */
export const entryStatuses = ['staged', 'consolidated', 'archived'] as const;
export type EntryStatus = (typeof entryStatuses)[number];

/** Where a person wants an entry to live, whatever the rules for its kind say. */
const entryLayers = ['instructions', 'session-memory', 'store', 'base'] as const;

/** Folders of a vault's `knowledge/`, each for entries of one sort; what fits none of them is in `uncategorizedFolder`. */
export const knowledgeAxes = ['languages', 'domains', 'tools', 'techniques', 'projects'] as const;
export const uncategorizedFolder = 'uncategorized';

/** Heading of the section that keeps what an entry said before. */
export const supersededHeading = 'Superseded';

/** Longest title, in UTF-16 units: it is the name of a file and a line in lists. */
export const entryTitleLengthMax = 200;

/** Largest file that is read as an entry, in bytes. A larger one is reported and left out. */
export const entryBytesMax = 5 * 1024 * 1024;

/** The keys whose values are links to other entries. */
export const entryLinkKeys = ['related', 'supersedes', 'superseded-by', 'contradicts'] as const;
export type EntryLinkKey = (typeof entryLinkKeys)[number];

/** A text, which YAML reads as a number where it looks like one. */
const text = z.union([z.string(), z.number()], 'expected a text').transform(String);

/** A list, or the one thing that would be in it. */
function several<S extends z.ZodType>(item: S) {
  return z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(item));
}

const title = text.refine((value) => entryTitleProblem(value) === undefined, {
  error: (issue) => entryTitleProblem(String(issue.input)) ?? 'not a title',
});

const tag = text
  .transform((value) => value.replace(/^#/, ''))
  .refine((value) => entryTagProblem(value) === undefined, {
    error: (issue) => entryTagProblem(String(issue.input)) ?? 'not a tag',
  });

const date = z.string().refine(isDate, {
  error: (issue) => `"${String(issue.input)}" is not a date such as 2026-11-20 or 2026-11-20T08:30:00Z`,
});

const link = z.preprocess(
  withQuotes,
  z.custom<string>(isEntryLink, 'a link is a text in quotes, such as "[[Title of the entry]]"'),
);

/** Older programs write the first letter of a kind as a capital. */
const kind = z.union(
  [
    z.enum(entryKinds),
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/)
      .transform((value) => value.toLowerCase()),
  ],
  'a kind is one word',
);

const topic = z
  .string()
  .regex(/^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}._-]*\/[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}._-]*$/u, {
    error: 'a topic is family/slug in lower case, such as decision/retry-policy',
  })
  .max(120, 'a topic has at most 120 characters');

const origin = z.looseObject({ project: text, date, context: text.optional() });

/** The keys of an entry, each with what it can hold. Defaults are for entries that other programs or people wrote. */
export const entryKeysSchema = z.looseObject({
  schema: z
    .enum(readableSchemas, {
      error: (issue) => `"${String(issue.input)}" is not a form that this version of Ravel reads`,
    })
    .default(entrySchemaName),
  /** Absent until Ravel changes the entry for the first time. */
  id: ulidSchema.optional(),
  title,
  aliases: several(title).default([]),
  kind: kind.default('reference'),
  tags: several(tag).default([]),
  topic: topic.optional(),
  layer: z.enum(entryLayers).optional(),
  confidence: z.enum(confidences).default('low'),
  status: z.enum(entryStatuses).default('consolidated'),
  depth: z.literal([1, 2, 3], 'expected 1, 2 or 3').default(1),
  /** Goes up by one with each change that Ravel makes. */
  version: z.number().int().min(1).default(1),
  created: date.optional(),
  last_validated: date.optional(),
  related: several(link).default([]),
  supersedes: several(link).default([]),
  'superseded-by': several(link).default([]),
  contradicts: several(link).default([]),
  origins: z.array(origin).default([]),
  source: text.optional(),
  'source-session': text.optional(),
  'absorbed-by': text.optional(),
  'absorbed-at': date.optional(),
  'ingestion-event-id': text.optional(),
});

/**
 * Frontmatter of an entry: a Markdown file in `knowledge/` of a vault or of a project. Keys without a value count as
 * absent, as Obsidian writes them; unknown keys stay.
 */
export const entrySchema = z.preprocess(fieldsOf, entryKeysSchema);

export type EntryFields = z.infer<typeof entrySchema>;

/** Whether a frontmatter is that of an entry. Other notes can have one, and stay notes. */
export function isEntryFrontmatter(data: unknown): boolean {
  return isRecord(data) && ('schema' in data || isChunk(data) || (data['title'] ?? null) !== null);
}

/** Why a text cannot be the title or an alias of an entry; undefined when it can. */
export function entryTitleProblem(value: string): string | undefined {
  if (value.trim() === '') return 'a title is empty';
  if (value.length > entryTitleLengthMax) {
    return `a title has ${value.length} characters; at most ${entryTitleLengthMax} are allowed`;
  }
  return hiddenCharacters.test(value) || /\p{Surrogate}/u.test(value)
    ? 'a title holds a character that cannot be seen'
    : undefined;
}

/** Why a text cannot be a tag of an entry, as a clause; undefined if it can. */
export function entryTagProblem(value: string): string | undefined {
  if (/^[^\s,#[\]"'|]{1,100}$/u.test(value) && !hiddenCharacters.test(value)) return undefined;
  return `"${value}" is not a tag: a tag is one word of at most 100 characters`;
}

/** Whether one confidence is at least as good as another. */
export function isAtLeast(one: Confidence, other: Confidence): boolean {
  return confidences.indexOf(one) <= confidences.indexOf(other);
}

function fieldsOf(data: unknown): unknown {
  if (!isRecord(data)) return data;
  const fields = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  return isChunk(fields) ? fieldsOfChunk(fields) : fields;
}

/** A day, or a day with a time; days that no calendar has are refused. */
function isDate(value: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(
    value,
  );
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
}
