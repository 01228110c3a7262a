import { describe, expect, test } from 'vitest';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { PlanRow } from '../../../src/model/requests/plans.ts';
import { planRow } from '../../../src/ui/trees/planRows.ts';
import { id, outlineWith } from '../../support/fakeModel.ts';

const session = '01HZY0000000000000000000S1' as Ulid;
const counts = { ready: 2, blocked: 1, inProgress: 0, done: 4, received: 3, handoffs: 0 };
const running = { session, phase: 'work' } as const;
const fault = { code: 'yaml/syntax', severity: 'error', message: 'It is no YAML.', subject: 'shop' } as const;

/** What a plan is in, by how its row is spoken. A colour or an icon is never the only sign of it. */
const states: [words: string, more: Partial<PlanRow>, asks?: boolean][] = [
  ['running', { running }],
  ['running add-a', { running: { ...running, task: 'add-a' } }],
  ['open by hand', { running: { ...running, manual: true } }],
  ['runs without an owner', { running: { ...running, unowned: true } }],
  ['asks you', { waiting: 'w' }, true],
  ['interrupted', { waiting: 'w' }],
  ['paused after 1 of 3', { paused: { done: 1, cycles: 3 } }],
  ['faulted', { faults: [fault] }],
  ['takes no messages', { actor: { state: 'faulted', queued: 0, deadLetters: 1 } }],
];

function spoken(more: Partial<PlanRow>, asks = false, name = 'cart') {
  const node = outlineWith({ shop: {}, [`shop/${name}`]: more }).nodes.get(id(`shop/${name}`));
  if (node === undefined) throw new Error('no node');
  return planRow(node, { asking: new Set<QualifiedId>(asks ? [node.plan] : []) });
}

describe('a screen reader says of a plan', () => {
  test.each<[string, Partial<PlanRow>, boolean?]>(states)('that it is in the state "%s"', (words, more, asks) => {
    const { ariaLabel, description, icon } = spoken({ ...more, counts }, asks);
    expect(ariaLabel).toContain(words);
    expect(description).toContain(words);
    expect(icon.color).toBeDefined();
  });

  test('what it is, its name, its phase and its counts, in one sentence', () => {
    const { ariaLabel } = spoken({ counts });
    expect(ariaLabel).toMatch(/^Plan cart, phase work, /);
    expect(ariaLabel).toContain('2 ready');
    expect(ariaLabel).toContain('3 received');
  });

  test('nothing twice and no signs that only the eye reads', () => {
    for (const [, more, asks] of states) {
      const { ariaLabel } = spoken({ ...more, counts }, asks);
      const parts = ariaLabel.split(', ');
      expect(new Set(parts).size).toBe(parts.length);
      expect(ariaLabel).not.toMatch(/[·↔→$]/);
    }
  });
});
