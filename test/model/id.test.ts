import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allocateSlug,
  compareIds,
  idFromSegment,
  isQualifiedId,
  isUlid,
  projectOf,
  qualifiedIdProblem,
  segmentFromId,
  toQualifiedId,
} from '../../src/model/id.ts';

describe('qualified ids', () => {
  test.each<[string, string | undefined]>([
    ['Demo/project-root', undefined],
    ['Demo/project-root/child/grand child', undefined],
    ['expert:rust-async', undefined],
    ['Demo', 'a plan id has the form <project>/project-root[/<child>...]'],
    ['Demo/child', 'a plan id has the form <project>/project-root[/<child>...]'],
    ['project-root', 'a plan id has the form <project>/project-root[/<child>...]'],
    ['Demo/project-root/project-root', '"project-root" stands only once, right after the project'],
    ['', 'a part between slashes is empty'],
    ['Demo//project-root', 'a part between slashes is empty'],
    ['Demo/project-root/', 'a part between slashes is empty'],
    ['Demo/project-root/..', 'the part ".." starts with a dot'],
    ['.git/project-root', 'the part ".git" starts with a dot'],
    ['Demo/project-root/a\\b', 'the part "a\\b" has a character that a path cannot have'],
    ['De:mo/project-root', 'the part "De:mo" has a character that a path cannot have'],
    ['Demo/project-root/a\nb', 'the part "a\nb" has a character that a path cannot have'],
    ...['\u0000', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u202e', '\u2066'].map(
      (hidden): [string, string] => [
        `Demo/project-root/a${hidden}b`,
        `the part "a${hidden}b" has a character that a path cannot have`,
      ],
    ),
    ['Demo/project-root/👩\u200d🚀', undefined],
    [`Demo/project-root/${'x'.repeat(120)}`, undefined],
    [`Demo/project-root/${'x'.repeat(121)}`, 'a part is longer than 120 characters'],
    [`Demo/project-root/${'あ'.repeat(85)}`, undefined],
    [`Demo/project-root/${'あ'.repeat(86)}`, 'a part is longer than 255 bytes, the limit for the name of a folder'],
    ['Demo/project-root/\ud800', 'a part holds half of a character'],
    ['expert:Rust', 'an expert id is lower-case letters, digits and hyphens'],
    ['expert:', 'an expert id is lower-case letters, digits and hyphens'],
  ])('the id %j has the problem: %s', (text, expected) => {
    expect(qualifiedIdProblem(text)).toBe(expected);
    expect(isQualifiedId(text)).toBe(expected === undefined);
  });

  test('toQualifiedId throws for an id that is not qualified', () => {
    expect(() => toQualifiedId('nowhere')).toThrow('not a qualified id: nowhere');
  });

  test('projectOf returns the first part, and throws for an expert', () => {
    expect(projectOf(toQualifiedId('Demo/project-root/child'))).toBe('Demo');
    expect(() => projectOf(toQualifiedId('expert:rust'))).toThrow('an expert has no project');
  });
});

test('compareIds puts a parent before its children, whatever their letters', () => {
  const ids = ['a/project-root', 'a/project-root/b', 'a/project-root/b/c', 'a/project-root/b c', 'b/project-root'];
  expect([...ids].reverse().sort(compareIds)).toEqual(ids);
  expect(compareIds('a/b', 'a/b')).toBe(0);
});

describe('ids as path segments', () => {
  test.each<[string, string]>([
    ['Demo/project-root', 'Demo%2Fproject-root'],
    ["It's (odd)!/project-root/*~", 'It%27s%20%28odd%29%21%2Fproject-root%2F%2A%7E'],
    ['expert:rust', 'expert%3Arust'],
  ])('%s is encoded as %s and decoded again', (id, segment) => {
    expect(segmentFromId(toQualifiedId(id))).toBe(segment);
    expect(idFromSegment(segment)).toBe(id);
  });

  test('a deeply nested plan gets a unique segment of 160 characters that cannot be decoded', () => {
    const parts = Array.from({ length: 12 }, (_, n) => `${n}`.padEnd(120, 'x'));
    const id = toQualifiedId(['Demo', 'project-root', ...parts].join('/'));
    const other = toQualifiedId(`${id.slice(0, -1)}y`);
    expect(segmentFromId(id)).toMatch(/^Demo%2Fproject-root%2F0x+~[0-9a-f]{32}$/);
    expect(segmentFromId(id)).toHaveLength(160);
    expect(segmentFromId(other)).not.toBe(segmentFromId(id));
    expect(idFromSegment(segmentFromId(id))).toBeUndefined();
  });

  const part = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
  const plan = fc
    .tuple(part, fc.array(part, { maxLength: 3 }))
    .map(([project, rest]) => [project, 'project-root', ...rest].join('/'));
  test('every id becomes one safe segment of at most 160 characters; an unshortened one decodes to the same id', () =>
    fc.assert(
      fc.property(plan.filter(isQualifiedId), (id) => {
        const segment = segmentFromId(id);
        expect(segment).toMatch(/^[A-Za-z0-9._%~-]+$/);
        expect(segment.length).toBeLessThanOrEqual(160);
        if (!segment.includes('~')) expect(idFromSegment(segment)).toBe(id);
      }),
    ));

  test.each(['%', 'Demo', '%2e%2e', ''])('%j is not the segment of an id', (segment) =>
    expect(idFromSegment(segment)).toBeUndefined(),
  );
});

test.each<[string, boolean]>([
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', true],
  ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', true],
  ['8ZZZZZZZZZZZZZZZZZZZZZZZZZ', false],
  ['01arz3ndektsv4rrffq69g5fav', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FA', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAI', false],
])('isUlid(%j) is %s', (text, expected) => expect(isUlid(text)).toBe(expected));

describe('allocateSlug', () => {
  test.each<[string, string[], string]>([
    ['Fix the parser', [], 'fix-the-parser'],
    ['  --Fix!!  the   Parser--', [], 'fix-the-parser'],
    ['Größe ändern', [], 'gr-e-ndern'],
    ['日本', [], 'task'],
    ['', [], 'task'],
    ['Fix', ['fix'], 'fix-2'],
    ['Fix', ['fix', 'fix-2', 'fix-4'], 'fix-3'],
    ['日本', ['task'], 'task-2'],
  ])('turns %j, with %j taken, into %s', (title, taken, expected) =>
    expect(allocateSlug(title, new Set(taken), 'task')).toBe(expected),
  );
});
