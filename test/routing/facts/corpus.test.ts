import { expect, test } from 'vitest';
import { isUlid, projectOf, qualifiedIdProblem } from '../../../src/model/id.ts';
import { stemsOf } from '../../../src/routing/rules/ruleKey.ts';
import { loadRoutingCorpus, shuffled } from '../../support/routingCorpus.ts';

const { recipients, messages, concerns } = loadRoutingCorpus();
const plans = recipients.filter(({ id }) => !id.startsWith('expert:'));
const ids = new Set<string>(recipients.map(({ id }) => id));

test('the corpus has 12 projects, 40 plans and at least four experts with valid ids and descriptions', () => {
  expect(new Set(plans.map(({ id }) => projectOf(id))).size).toBe(12);
  expect(plans).toHaveLength(40);
  expect(recipients.length - plans.length).toBeGreaterThanOrEqual(4);
  for (const { id, description } of recipients) {
    expect(qualifiedIdProblem(id), id).toBeUndefined();
    expect(description.length, id).toBeLessThanOrEqual(120);
    expect(description.length, id).toBeGreaterThan(10);
  }
});

test('every recipient of the corpus has its own words for its concern', () => {
  expect([...concerns.keys()].sort()).toEqual([...ids].sort());
  const all = [...concerns.values()].flatMap((words) => stemsOf(words));
  expect(new Set(all).size).toBe(all.length);
  for (const [id, words] of concerns) expect(words.length, id).toBeGreaterThan(5);
});

test('every message of the corpus goes from one known recipient to another, and every recipient is right for some message', () => {
  for (const { id, message, right } of messages) {
    expect(ids.has(right), id).toBe(true);
    expect(ids.has(message.from), id).toBe(true);
    expect(message.from, id).not.toBe(right);
    expect(isUlid(message.id), id).toBe(true);
    expect(message.body.length, id).toBeGreaterThan(0);
  }
  // A recipient that is never right would be useless in the corpus.
  const wanted = new Set<string>(messages.map(({ right }) => right));
  expect(recipients.filter(({ id }) => !wanted.has(id)).map(({ id }) => id)).toEqual([]);
});

test('every message of the corpus names exactly one valid target', () => {
  for (const { id, message, right } of messages) {
    const { target, from } = message;
    expect(target.kind, id).not.toBe('unclear');
    if (target.kind === 'plan') {
      expect(target.name, id).toBe(right);
      expect(right.split('/')[0], id).toBe(from.split('/')[0]);
    }
    if (target.kind === 'expert') expect(`expert:${target.name}`, id).toBe(right);
    if (right.startsWith('expert:')) expect(message.type, id).toBe('query');
  }
});

test('at least half of the corpus’s messages name no receiver, and every kind of target and type occurs', () => {
  const count = (fits: (one: (typeof messages)[number]) => boolean) => messages.filter(fits).length;
  expect(messages.length).toBeGreaterThanOrEqual(320);
  expect(count(({ message }) => message.target.kind === 'auto')).toBeGreaterThanOrEqual(messages.length / 2);
  expect(count(({ message }) => message.target.kind === 'project')).toBeGreaterThanOrEqual(25);
  expect(
    count(({ message }) => message.target.kind === 'project' && message.target.suggested !== undefined),
  ).toBeGreaterThanOrEqual(5);
  expect(count(({ message }) => message.target.kind === 'plan')).toBeGreaterThanOrEqual(25);
  expect(count(({ message }) => message.target.kind === 'expert')).toBeGreaterThanOrEqual(5);
  expect(count(({ message }) => message.type === 'query')).toBeGreaterThanOrEqual(40);
});

test('no text of the corpus repeats another or fills in a template', () => {
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  expect(new Set(messages.map(({ message }) => message.reason.toLowerCase())).size).toBe(messages.length);
  const words = messages.map(({ message }) => new Set(message.body.toLowerCase().match(/\p{L}+/gu) ?? []));
  const alike: string[] = [];
  for (const [index, one] of words.entries()) {
    for (let other = 0; other < index; other += 1) {
      if (overlap(one, words[other] ?? new Set()) > 0.6) alike.push(`${messages[index]?.id} ${messages[other]?.id}`);
    }
  }
  expect(alike).toEqual([]);
  // Many words are used only once, as in texts that people write.
  const uses = new Map<string, number>();
  for (const set of words) for (const word of set) uses.set(word, (uses.get(word) ?? 0) + 1);
  expect(uses.size).toBeGreaterThan(2000);
  expect([...uses.values()].filter((times) => times === 1).length / uses.size).toBeGreaterThan(0.4);
});

test('the order of messages depends only on its seed and mixes the writers', () => {
  const order = shuffled(messages, 1).map(({ id }) => id);
  expect(shuffled(messages, 1).map(({ id }) => id)).toEqual(order);
  expect(shuffled(messages, 2).map(({ id }) => id)).not.toEqual(order);
  expect([...order].sort()).toEqual(messages.map(({ id }) => id).sort());
  const writers = new Set(order.slice(0, 40).map((id) => id.split('-')[0]));
  expect(writers.size).toBeGreaterThanOrEqual(8);
});

/** Share of the words of the shorter text that the other one has too; 0 to 1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / Math.max(1, Math.min(one.size, other.size));
}
