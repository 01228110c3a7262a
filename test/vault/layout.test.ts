import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { partsFolder } from '../../src/base/journalParts.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { planPath, VaultLayout } from '../../src/vault/layout.ts';

const layout = new VaultLayout('/vault');
const parent = toQualifiedId('Demo/project-root');
const child = toQualifiedId('Demo/project-root/child');
const session = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as Ulid;

test('the folder of a plan follows from its id', () => {
  expect(layout.plan(child)).toBe('/vault/projects/Demo/project-root/child');
  expect(layout.project('Demo')).toBe('/vault/projects/Demo');
});

test('planPath is the folder of a plan relative to the project', () => {
  expect(planPath(parent)).toBe('ravel/project-root');
  expect(planPath(child)).toBe('ravel/project-root/child');
});

test.each([
  ['run state', (id: typeof parent) => layout.runState(id)],
  ['attributions', (id: typeof parent) => layout.attributions(id)],
  ['lock', (id: typeof parent) => layout.planLock(id)],
  ['staging', (id: typeof parent) => layout.stagingOf(id, 'work', session)],
  ['interrupted', (id: typeof parent) => layout.interruptedOf(id, 'work', session)],
])('the path %s of a child is not inside that of its parent, and is in runtime/', (_, pathOf) => {
  expect(relative(pathOf(parent), pathOf(child))).toMatch(/^\.\./);
  expect(pathOf(parent)).not.toBe(pathOf(child));
  expect(relative(layout.runtime, pathOf(child))).not.toMatch(/^\.\.|:/);
});

test('every path of a plan in runtime/ moves with the plan, except its lock', () => {
  const ownPaths = {
    runState: layout.runState(child),
    attributions: layout.attributions(child),
    crashTimes: layout.crashTimes(child),
    replied: layout.replied(child),
    origins: layout.origins(child),
    questionsOf: layout.questionsOf(child),
    history: layout.history(child),
    stagingOf: layout.stagingOf(child, 'work', session),
    interruptedOf: layout.interruptedOf(child, 'work', session),
    sourceOf: layout.sourceOf(child, session),
    putAside: layout.putAside(child, session),
  };
  const elsewhere = [
    'constructor',
    'page',
    'plan',
    'planLock',
    'runtimeOf',
    'project',
    'session',
    'transcript',
    'approval',
    'decision',
    'answer',
    'pendingRoute',
    'sendingOf',
    // An index: who is missing in it is found by its run state.
    'underWayOf',
  ];
  const isMethod = (name: string) =>
    Object.getOwnPropertyDescriptor(VaultLayout.prototype, name)?.value !== undefined && !elsewhere.includes(name);
  expect(Object.keys(ownPaths).sort()).toEqual(
    Object.getOwnPropertyNames(VaultLayout.prototype).filter(isMethod).sort(),
  );
  const following = layout.runtimeOf(child);
  expect(following).toContain(partsFolder(layout.history(child)));
  for (const path of Object.values(ownPaths)) {
    expect(following.some((one) => path === one || path.startsWith(`${one}/`))).toBe(true);
  }
});
