import { expect, test } from 'vitest';
import { plansAsTree } from '../../../src/cli/render/planTree.ts';
import { toQualifiedId } from '../../../src/model/id.ts';

function check(ids: readonly string[], expected: readonly string[]): void {
  const rows = ids.map((id) => ({ plan: toQualifiedId(id) }));
  expect(plansAsTree(rows).map(({ name }) => name)).toEqual(expected);
}

test('each plan is indented below its parent, with the folders between them in its name', () =>
  check(
    [
      'B/project-root',
      'A/project-root/a/x',
      'A/project-root/a b',
      'A/project-root',
      'A/project-root/a',
      'A/project-root/far/off/y',
    ],
    ['A/project-root', '  a', '    x', '  a b', '  far/off/y', 'B/project-root'],
  ));

test('a plan whose parents are not listed shows its whole id', () =>
  check(['A/project-root/a/x', 'A/project-root/a/x/y'], ['A/project-root/a/x', '  y']));

test('no plans are an empty list', () => check([], []));
