import * as z from 'zod';
import { descriptionProblem } from './plan.ts';

/** Names that mean something else wherever an expert could be named. */
const reservedIds: ReadonlySet<string> = new Set([
  'uncategorized',
  'vault',
  'plan',
  'daemon',
  'router',
  'ravel',
  'person',
]);

/** Longest persona, in bytes of UTF-8: it is the beginning of every prompt of its expert. */
export const personaBytesMax = 8 * 1024;

/** Why `text` cannot be the id of an expert, as a sentence; undefined when it can. */
export function expertIdProblem(text: string): string | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(text)) return 'an expert id is lower-case letters, digits and hyphens, a letter first';
  if (text.length > 64) return 'an expert id has at most 64 characters';
  return reservedIds.has(text) ? `the id "${text}" is reserved` : undefined;
}

/** A folder or a glob below `knowledge/` of the vault; `knowledge/` may stand before it, and a slash behind it. */
const vaultScope = z
  .string()
  .refine((text) => scopeProblem(text, 1) === undefined, {
    error: (issue) => scopeProblem(String(issue.input), 1) ?? 'no scope',
  })
  .overwrite(belowKnowledge);

/** The same below `knowledge/` of a project, after the project's name; `*` stands for every project. */
const projectScope = z.string().refine((text) => scopeProblem(text, 2) === undefined, {
  error: (issue) => scopeProblem(String(issue.input), 2) ?? 'no scope',
});

function belowKnowledge(scope: string): string {
  const start = scope.startsWith('knowledge/') && scope !== 'knowledge/' ? 'knowledge/'.length : 0;
  return scope.slice(start, scope.endsWith('/') ? -1 : undefined);
}

function scopeProblem(text: string, partsMin: number): string | undefined {
  const parts = text.replace(/\/$/, '').split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\\'))) {
    return `"${text}" leads out of knowledge/; write folders with / between them`;
  }
  return parts.length < partsMin ? `"${text}" names a project and no folder; write for example "*/rust"` : undefined;
}

const tag = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'a tag is lower-case words with hyphens');

/** Frontmatter of `experts/<id>.md`. Unknown keys are tolerated and kept; the body belongs to people. */
export const expertSchema = z.looseObject({
  'actor-type': z.literal('expert'),
  'expert-id': z.string(),
  description: z.string().refine((text) => descriptionProblem(text) === undefined, {
    error: (issue) => descriptionProblem(String(issue.input)) ?? 'not a description',
  }),
  persona: z
    .string()
    .refine((text) => text.trim() !== '', 'the persona is empty')
    .refine((text) => utf8Length(text) <= personaBytesMax, {
      error: (issue) =>
        `the persona has ${utf8Length(String(issue.input))} bytes; at most ${personaBytesMax} are allowed`,
    }),
  'knowledge-scope': z.array(vaultScope).min(1, 'it needs at least one folder below knowledge/'),
  /** Knowledge of projects is read only if an expert asks for it. */
  'project-knowledge': z.array(projectScope).default([]),
  retrieval: z
    .looseObject({
      strategy: z.enum(['keyword']).default('keyword'),
      'max-entries': z.number().int().min(1).max(100).default(10),
      'max-bytes': z
        .number()
        .int()
        .min(1)
        .max(1024 * 1024)
        .default(32 * 1024),
    })
    .prefault({}),
  tags: z
    .array(tag)
    .refine((tags) => new Set(tags).size === tags.length, {
      error: (issue) => `the tag "${firstTwice(issue.input)}" stands twice`,
    })
    .default([]),
  model: z.string().min(1).nullish(),
  dialogue: z
    .looseObject({
      'max-questions': z.number().int().min(0).max(3, 'at most 3 clarifying questions are allowed').default(3),
      'idle-minutes': z.number().positive().default(30),
    })
    .prefault({}),
});

export type Expert = z.infer<typeof expertSchema>;

function firstTwice(tags: unknown): string {
  const list = Array.isArray(tags) ? tags.map(String) : [];
  return list.find((one, at) => list.indexOf(one) !== at) ?? '';
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
