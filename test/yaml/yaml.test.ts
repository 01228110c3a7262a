import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import type { Json } from '../../src/model/json.ts';
import { editYaml, formatYaml, parseYaml, type YamlEdit } from '../../src/yaml/yaml.ts';

const place = { file: 'backlog.yaml', subject: 'Demo/project-root' };

function read(text: string): Json {
  const { value, diagnostics } = parseYaml(text, place);
  expect(diagnostics).toEqual([]);
  return value as Json;
}

describe('editYaml refuses', () => {
  function check(text: string, edit: YamlEdit, expected: RegExp): void {
    let error: unknown;
    try {
      editYaml(text, [edit], place);
    } catch (caught) {
      error = caught;
    }
    expect(isRavelError(error, 'yaml/editRefused')).toBe(true);
    expect((error as Error).message).toMatch(expected);
  }
  const set: YamlEdit = { op: 'set', path: ['a'], value: 2 };

  test.each<[string, YamlEdit, RegExp]>([
    ['a: &x 1\nb: *x\n', set, /anchor/],
    ['a: !!str 1\n', set, /tags/],
    ['a: 1\n---\nb: 2\n', set, /more than one document/],
    ['? [a]\n: 1\n', set, /key must be plain text/],
    ['? a\n: 1\n', set, /written in a way/],
    ['%YAML 1.1\n---\na: 1\n', set, /directive/],
    ['a: [\n', set, /cannot be edited/],
    ['a: 1\rb\n', set, /carriage return/],
    ['a:\n  # why\n  1\n', { op: 'set', path: ['a'], value: 'x\ny\n' }, /comment or a line end/],
    ['a: [1, # one\n  2]\n', { op: 'insert', path: ['a'], index: 0, value: 3 }, /holds comments/],
    ['a: 1\n', { op: 'set', path: ['a', 'b'], value: 1 }, /does not fit/],
    ['a: [1]\n', { op: 'set', path: ['a', 1], value: 1 }, /does not fit/],
    ['a: [1]\n', { op: 'insert', path: ['a'], index: 2, value: 1 }, /does not fit/],
    ['a: {}\n', { op: 'insert', path: ['a'], index: 0, value: 1 }, /does not fit/],
    ['a: [1]\n', { op: 'move', path: ['a'], from: 0, to: 1 }, /does not fit/],
  ])('to edit %j by %j', check);

  test('and leaves the given text unchanged', () => {
    const text = 'a: 1\nb: &x 2\n';
    expect(() => editYaml(text, [set], place)).toThrow();
    expect(text).toBe('a: 1\nb: &x 2\n');
  });
});

test('ten edits of a memory of 76 kB take less than 300 ms of processor time', () => {
  const body = 'A sentence of a memory entry that is about as long as they come.\n'.repeat(6);
  const entries = Array.from({ length: 180 }, (_, n) => ({ id: `entry-${n}`, title: `Entry ${n}`, body }));
  const text = formatYaml({ entries });
  expect(text.length).toBeGreaterThan(76_000);
  const edits: YamlEdit[] = [
    { op: 'delete', path: ['entries', 3] },
    { op: 'insert', path: ['entries'], index: 50, value: { id: 'x', title: 'X', body } },
    { op: 'move', path: ['entries'], from: 7, to: 100 },
    ...Array.from(
      { length: 7 },
      (_, n): YamlEdit => ({ op: 'set', path: ['entries', n * 9, 'title'], value: `T ${n}` }),
    ),
  ];
  // Processor time, so that other work on the machine does not count.
  const spentMs = [1, 2, 3, 4, 5].map(() => {
    const before = process.cpuUsage();
    editYaml(text, edits, place);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  expect(Math.min(...spentMs)).toBeLessThan(300);
});

describe('an edit that is undone', () => {
  test.each(['backlog.yaml', 'memory.yaml', 'session-log.yaml', 'indented.yaml'])(
    'restores %s byte for byte',
    async (name) => {
      const text = await readFile(new URL(`../fixtures/yaml/${name}`, import.meta.url), 'utf8');
      const list = Object.keys(read(text) as object)[0] ?? '';
      const added = editYaml(
        text,
        [{ op: 'insert', path: [list], index: 1, value: { id: 'x', body: 'a\nb\n' } }],
        place,
      );
      expect(added).not.toBe(text);
      expect(editYaml(added, [{ op: 'delete', path: [list, 1] }], place)).toBe(text);
      const moved = editYaml(text, [{ op: 'move', path: [list], from: 1, to: 0 }], place);
      expect(moved).not.toBe(text);
      expect(editYaml(moved, [{ op: 'move', path: [list], from: 0, to: 1 }], place)).toBe(text);
      const set = editYaml(text, [{ op: 'set', path: [list, 1, 'added'], value: 'x: y' }], place);
      expect(set).not.toBe(text);
      expect(editYaml(set, [{ op: 'delete', path: [list, 1, 'added'] }], place)).toBe(text);
    },
  );
});
