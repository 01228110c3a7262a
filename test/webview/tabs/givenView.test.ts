import { expect, test } from 'vitest';
import type { GivenPart } from '../../../src/model/requests/inspect.ts';
import { viewGiven } from '../../../webview/tabs/givenView.ts';

function part(name: string, bytes: number, sha256 = name): GivenPart {
  return { name, bytes, tokens: bytes / 4, sha256, reason: `why ${name}` };
}

test('parts of the same name are one line, at the place of the first', () => {
  const given = [
    part('system/PLAN', 100),
    part('prompt/template', 40, 'a'),
    part('prompt/TASK', 200),
    part('prompt/template', 60, 'b'),
  ];
  const { groups, bytes, tokens } = viewGiven({ given });
  expect([bytes, tokens]).toEqual([400, 100]);
  expect(groups.map(({ name, bytes: own, lines }) => [name, own, lines.map((line) => line.name)])).toEqual([
    ['system', 100, ['system/PLAN']],
    ['prompt', 300, ['prompt/template', 'prompt/TASK']],
  ]);
  expect(groups[1]?.lines[0]).toMatchObject({ parts: [1, 3], bytes: 100, share: 0.25 });
});

test('compared with another session, parts are new, changed, the same or gone', () => {
  const given = [part('prompt/TASK', 8), part('prompt/MEMORY', 8, 'now'), part('prompt/RECEIVED', 8)];
  const before = [part('prompt/TASK', 8), part('prompt/MEMORY', 8, 'then'), part('prompt/DIFF', 8)];
  const { groups, gone } = viewGiven({ given }, { given: before });
  expect(groups[0]?.lines.map(({ difference }) => difference)).toEqual(['same', 'changed', 'new']);
  expect(gone.map(({ name }) => name)).toEqual(['prompt/DIFF']);
});

test('an empty session shows nothing', () => {
  expect(viewGiven({ given: [] })).toEqual({ groups: [], bytes: 0, tokens: 0, gone: [] });
});
