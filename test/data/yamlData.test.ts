import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJsonArray, isJsonObject, type Json } from '../../src/model/json.ts';
import { editYaml, parseYaml, type YamlEdit } from '../../src/yaml/yaml.ts';
import { testDataPath } from '../support/testData.ts';

test('an edit and its inverse give back the same bytes of every real YAML file', async () => {
  const folder = testDataPath('');
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.ya?ml$/.test(name));
  expect(names).not.toEqual([]);
  for (const name of names) check(name, await readFile(join(folder, name), 'utf8'));
});

function check(file: string, text: string): void {
  const place = { file, subject: file };
  const { value, diagnostics } = parseYaml(text, place);
  expect(diagnostics, file).toEqual([]);
  const root = value as Json;
  expect(editYaml(text, [{ op: 'set', path: [], value: root }], place), file).toBe(text);
  for (const [edit, inverse] of pairs(root)) {
    const edited = editYaml(text, [edit], place);
    expect(edited, file).not.toBe(text);
    expect(editYaml(edited, [inverse], place), `${file} ${JSON.stringify(edit)}`).toBe(text);
  }
}

function pairs(root: Json): [YamlEdit, YamlEdit][] {
  if (!isJsonObject(root)) return [];
  const found: [YamlEdit, YamlEdit][] = [
    [
      { op: 'set', path: ['added'], value: { text: 'a\n\nb\n', list: ['no'] } },
      { op: 'delete', path: ['added'] },
    ],
  ];
  for (const [key, value] of Object.entries(root)) {
    if (typeof value === 'string') found.push(setAndBack([key], value));
    if (!isJsonArray(value)) continue;
    for (const index of [0, value.length >> 1, value.length]) {
      found.push([
        { op: 'insert', path: [key], index, value: { id: 'x', body: 'a\nb\n' } },
        { op: 'delete', path: [key, index] },
      ]);
    }
    if (value.length < 2) continue;
    const last = value.length - 1;
    found.push([
      { op: 'move', path: [key], from: 0, to: last },
      { op: 'move', path: [key], from: last, to: 0 },
    ]);
    const record = value[last >> 1];
    for (const [field, text] of isJsonObject(record) ? Object.entries(record) : []) {
      if (typeof text === 'string') found.push(setAndBack([key, last >> 1, field], text));
    }
  }
  return found;
}

function setAndBack(path: (string | number)[], text: string): [YamlEdit, YamlEdit] {
  return [
    { op: 'set', path, value: `${text.trimEnd()} and more${text.endsWith('\n') ? '\n' : ''}` },
    { op: 'set', path, value: text },
  ];
}
