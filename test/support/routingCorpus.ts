import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import * as z from 'zod';
import { type QualifiedId, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { parseTarget } from '../../src/model/namedTarget.ts';
import type { Recipient, RoutedMessage } from '../../src/model/routing.ts';
import { routedTypes } from '../../src/model/rule.ts';
import { stemsOf } from '../../src/routing/rules/ruleKey.ts';
import type { PlanContent } from './contentVault.ts';
import { seededRandom } from './seededRandom.ts';

/**
 * Messages that people and sessions could have written, and whom each of them is for. The texts were written before the
 * extractor of facts was looked at; none is changed because a figure would be better with another.
 */
export interface RoutingCorpus {
  readonly recipients: readonly Recipient[];
  /** As the files have them: by writer, so topics are not mixed. */
  readonly messages: readonly CorpusMessage[];
  /** Words for what each recipient is about, by somebody who never saw the messages; none that a second recipient has. */
  readonly concerns: ReadonlyMap<QualifiedId, readonly string[]>;
  /** What the files of the plans hold, written from the catalog alone. */
  readonly texts: ReadonlyMap<QualifiedId, PlanContent>;
}

export interface CorpusMessage {
  readonly id: string;
  readonly message: RoutedMessage;
  readonly right: QualifiedId;
}

const fixtures = fileURLToPath(new URL('../fixtures/routing/', import.meta.url));

const catalogSchema = z.strictObject({
  plans: z.record(z.string(), z.string()),
  experts: z.record(z.string(), z.strictObject({ description: z.string(), tags: z.array(z.string()) })),
});

const messageSchema = z.strictObject({
  id: z.string(),
  on: z.enum(routedTypes),
  from: z.string(),
  'target-plan': z.string().optional(),
  'target-project': z.string().optional(),
  'suggested-target-plan': z.string().optional(),
  'target-expert': z.string().optional(),
  target: z.literal('auto').optional(),
  right: z.string(),
  reason: z.string(),
  body: z.string(),
});

const line = z.string();
const textsSchema = z.strictObject({
  texts: z.record(z.string(), z.strictObject({ readme: line, tasks: z.array(line), memory: z.array(line) })),
});

const concernsSchema = z.strictObject({ concerns: z.record(z.string(), z.array(z.string())) });

/** A bundle lies elsewhere than its sources, and says where the fixtures are. */
export function loadRoutingCorpus(folder = fixtures): RoutingCorpus {
  const catalog = catalogSchema.parse(parse(readFileSync(`${folder}catalog.yaml`, 'utf8')));
  const plans = Object.entries(catalog.plans).map(([id, description]) => ({
    id: toQualifiedId(id),
    description,
    tags: [],
  }));
  const experts = Object.entries(catalog.experts).map(([id, { description, tags }]) => ({
    id: toQualifiedId(`expert:${id}`),
    description,
    tags,
  }));
  const files = readdirSync(`${folder}messages`).sort();
  const entries = files.flatMap((file) =>
    z.array(messageSchema).parse(parse(readFileSync(`${folder}messages/${file}`, 'utf8'))),
  );
  return {
    recipients: [...plans, ...experts],
    messages: entries.map((entry, index) => toCorpusMessage(entry, index)),
    concerns: loadConcerns(folder),
    texts: loadTexts(folder),
  };
}

function loadTexts(folder: string): Map<QualifiedId, PlanContent> {
  const { texts } = textsSchema.parse(parse(readFileSync(`${folder}texts.yaml`, 'utf8')));
  const titled = (lines: readonly string[]) => lines.map((title) => ({ title }));
  return new Map(
    Object.entries(texts).map(([id, { readme, tasks, memory }]) => [
      toQualifiedId(id),
      { readme, tasks: titled(tasks), memory: titled(memory) },
    ]),
  );
}

function loadConcerns(folder: string): Map<QualifiedId, readonly string[]> {
  const { concerns } = concernsSchema.parse(parse(readFileSync(`${folder}concerns.yaml`, 'utf8')));
  const recipients = new Map<string, number>();
  for (const words of Object.values(concerns)) {
    for (const stem of stemsOf(words)) recipients.set(stem, (recipients.get(stem) ?? 0) + 1);
  }
  const isAlone = (word: string) => stemsOf([word]).every((stem) => recipients.get(stem) === 1);
  return new Map(Object.entries(concerns).map(([id, words]) => [toQualifiedId(id), words.filter(isAlone)]));
}

function toCorpusMessage(entry: z.infer<typeof messageSchema>, index: number): CorpusMessage {
  const { id, on, from, right, reason, body, ...named } = entry;
  const ulid = corpusUlid(index);
  return {
    id,
    right: toQualifiedId(right),
    message: {
      id: ulid,
      type: on,
      from: toQualifiedId(from),
      target: parseTarget(named),
      reason,
      body,
      depth: 0,
      origin: ulid,
    },
  };
}

/** Ids that are the same in each run. */
function corpusUlid(number: number): Ulid {
  return `01K${String(number).padStart(23, '0')}` as Ulid;
}

/** The same order for the same seed, as a person gets messages: everything mixed. */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const value = mixed[last] as T;
    mixed[last] = mixed[other] as T;
    mixed[other] = value;
  }
  return mixed;
}
