import { expect, test } from 'vitest';
import { type ActorState, advance } from '../../src/actors/actorState.ts';
import { diagnostic } from '../../src/model/codes.ts';
import { plan } from './messages.ts';

const states: Readonly<Record<ActorState['kind'], ActorState>> = {
  dormant: { kind: 'dormant' },
  queued: { kind: 'queued', reason: 'others are active' },
  spawning: { kind: 'spawning' },
  active: { kind: 'active' },
  faulted: { kind: 'faulted', fault: diagnostic('actor/faulted', plan, 'it crashed') },
  shuttingDown: { kind: 'shuttingDown' },
};

test.each<[ActorState['kind'], ActorState['kind'], boolean]>([
  ['dormant', 'queued', true],
  ['dormant', 'spawning', true],
  ['spawning', 'active', true],
  ['active', 'dormant', true],
  ['active', 'active', false],
  ['active', 'faulted', true],
  ['faulted', 'active', false],
  ['faulted', 'spawning', false],
  ['faulted', 'dormant', true],
  ['shuttingDown', 'active', false],
  ['shuttingDown', 'spawning', false],
])('an actor may go from %s to %s: %s', (from, to, isAllowed) => {
  const step = () => advance(states[from], states[to]);
  if (isAllowed) expect(step()).toBe(states[to]);
  else expect(step).toThrow(`from ${from} to ${to}`);
});
