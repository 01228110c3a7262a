import { expect, test } from 'vitest';
import { eventTypes } from '../../src/model/event.ts';
import { invalidatedBy } from '../../src/ui/invalidation.ts';
import { id } from '../support/fakeModel.ts';

const at = '2026-01-02T03:04:05Z';

test('every kind of event touches something, except for the listed ones', () => {
  const untouching = eventTypes.filter((type) => {
    const touch = invalidatedBy({ at, actor: id('shop'), type } as never);
    return touch.plan === undefined && touch.parts.length === 0;
  });
  expect(untouching.sort()).toEqual([
    'commit.made',
    'commit.skipped',
    'diagnostic',
    'gate.judged',
    'knowledge.changed',
    'knowledge.step',
    'session.noted',
    'session.output',
    'session.recalled',
    'session.verb',
    'spawn.measured',
    'vault.verifying',
  ]);
});

test('an event of an expert touches the experts and no plan', () => {
  const touch = invalidatedBy({ at, actor: 'expert:rust' as never, type: 'actor.changed', state: 'faulted' });
  expect(touch).toEqual({ parts: ['deadLetters', 'experts'] });
});
