import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { ulidSchema } from '../../src/model/idSchemas.ts';
import { parseExpert } from '../../src/vault/expertStore.ts';
import { parseFrontmatter } from '../../src/vault/frontmatter.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const expertIds = ['distributed-systems', 'ffi', 'obsidian', 'research', 'rust', 'software-architect'];
const axes = ['domains', 'languages', 'projects', 'techniques', 'tools'];

const words = z.string().trim().min(1);
const tags = z.array(z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)).min(1);
const date = z.iso.date();

/** What the frontmatter of a shipped entry holds, its keys in the order in which they are written. */
const entrySchema = z.strictObject({
  schema: z.literal('ravel.entry.v1'),
  id: ulidSchema,
  // A title stands in links, so it holds nothing that ends one.
  title: words.max(100).regex(/^[^#^|[\]:/\\]+$/),
  aliases: z.array(words).min(1).optional(),
  tags,
  kind: z.enum(['Reference', 'Heuristic']),
  confidence: z.enum(['high', 'medium']),
  created: date,
  last_validated: date,
  source: words,
  version: z.literal(1),
  depth: z.literal(1),
  status: z.literal('consolidated'),
  related: z.array(z.string().regex(/^\[\[.+\]\]$/)).optional(),
});

const claimSchema = z.strictObject({ title: words, text: words, tags });
const labels = ['same', 'contradicting', 'related', 'unlike'] as const;
const pairsSchema = z.array(
  z.strictObject({ id: words, label: z.enum(labels), left: claimSchema, right: claimSchema }),
);
const questionsSchema = z.array(
  z.strictObject({ id: words, expert: z.enum(expertIds), question: words, entries: z.array(ulidSchema) }),
);

const experts = filesBelow('shipped/experts').map((path) => {
  const { expert, diagnostics } = parseExpert(basename(path, '.md'), textOf(path), path);
  return { path, expert: expert?.expert, diagnostics };
});
const entries = filesBelow('shipped/knowledge').map((path) => {
  const { data, body, diagnostics } = parseFrontmatter(textOf(path), { file: path, subject: path });
  return { path, below: path.slice('shipped/knowledge/'.length), data, body, diagnostics };
});
const questions = questionsSchema.parse(parse(textOf('test/fixtures/experts/questions.yaml')));
const pairs = pairsSchema.parse(parse(textOf('test/fixtures/experts/pairs.yaml')));

describe('the shipped experts', () => {
  test('are the six that the documentation names', () => {
    expect(experts.map(({ path }) => basename(path, '.md'))).toEqual(expertIds);
  });

  test.each(experts)('$path is a valid declaration with notes for people', ({ expert, diagnostics }) => {
    expect(diagnostics).toEqual([]);
    expect(expert?.persona.split(/\s+/).length).toBeGreaterThanOrEqual(150);
    expect(expert?.persona.split(/\s+/).length).toBeLessThanOrEqual(400);
  });

  test.each(experts)('$path has at least 12 entries in its scope, and no empty folder', ({ expert }) => {
    const scopes = expert?.['knowledge-scope'] ?? [];
    const counts = scopes.map((scope) => entries.filter(({ below }) => below.startsWith(`${scope}/`)).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(12);
  });
});

describe('the shipped entries', () => {
  test.each(entries)('$below has the form of an entry', ({ data, body, diagnostics, below }) => {
    expect(diagnostics).toEqual([]);
    const entry = entrySchema.parse(data);
    const order = Object.keys(entrySchema.shape).filter((key) => Object.hasOwn(entry, key));
    expect(Object.keys(data ?? {})).toEqual(order);
    expect(body.startsWith(`\n# ${entry.title}\n\n## `)).toBe(true);
    expect(below).toMatch(new RegExp(`^(?:${axes.join('|')})/[a-z][a-z0-9-]*/[a-z0-9]+(?:-[a-z0-9]+)*\\.md$`));
  });

  test('have ids and names of their own, also without regard to case', () => {
    const read = entries.map(({ data }) => entrySchema.parse(data));
    expect(new Set(read.map(({ id }) => id)).size).toBe(entries.length);
    const names = read.flatMap(({ title, aliases = [] }) => [title, ...aliases]).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(entries.map(({ path }) => basename(path))).size).toBe(entries.length);
  });

  test('are related in both directions', () => {
    const links = entries
      .map(({ data }) => entrySchema.parse(data))
      .flatMap(({ title, related }) => (related ?? []).map((link) => [title, link.slice(2, -2)] as const));
    expect(links.length).toBeGreaterThan(0);
    const present = new Set(links.map(([from, to]) => JSON.stringify([from, to])));
    expect(links.filter(([from, to]) => !present.has(JSON.stringify([to, from])) || from === to)).toEqual([]);
  });

  test('are each in the scope of an expert', () => {
    const scopes = experts.flatMap(({ expert }) => expert?.['knowledge-scope'] ?? []);
    expect(entries.map(({ below }) => below).filter((at) => !scopes.some((one) => at.startsWith(`${one}/`)))).toEqual(
      [],
    );
  });
});

describe('the questions', () => {
  test('are sixty, ten of them for each expert and ten without an answer', () => {
    expect(questions.map(({ expert }) => expert).sort()).toEqual(expertIds.flatMap((id) => Array(10).fill(id)));
    expect(questions.filter(({ entries: answers }) => answers.length === 0)).toHaveLength(10);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  });

  test('name entries in the scope of the expert that is asked', () => {
    const pathOf = new Map(entries.map(({ data, below }) => [entrySchema.parse(data).id, below]));
    const outside = questions.filter(({ expert, entries: answers }) => {
      const declared = experts.find((one) => one.expert?.['expert-id'] === expert)?.expert;
      const scopes = declared?.['knowledge-scope'] ?? [];
      return answers.some((id) => !scopes.some((scope) => pathOf.get(id)?.startsWith(`${scope}/`)));
    });
    expect(outside).toEqual([]);
  });
});

test('the pairs are 75 of each label, every claim 20 to 60 words long', () => {
  const counts = labels.map((label) => pairs.filter((pair) => pair.label === label).length);
  expect(counts).toEqual([75, 75, 75, 75]);
  expect(new Set(pairs.map(({ id }) => id)).size).toBe(pairs.length);
  const lengths = pairs
    .flatMap(({ left, right }) => [left, right])
    .map(({ text }) => text.match(/\S*[\p{L}\p{N}]\S*/gu));
  expect(lengths.filter((found) => (found?.length ?? 0) < 20 || (found?.length ?? 0) > 60)).toEqual([]);
});

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
