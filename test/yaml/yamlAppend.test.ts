import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from '../../src/model/json.ts';
import { editYaml, parseYaml } from '../../src/yaml/yaml.ts';
import { appendItem } from '../../src/yaml/yamlAppend.ts';
import { parseSource } from '../../src/yaml/yamlDocument.ts';
import { spliceEdit } from '../../src/yaml/yamlSplice.ts';

const place = { file: 'backlog.yaml', subject: 'Demo/project-root' };

/** The text with the item where the full parser puts it. */
function spliced(text: string, item: Json): string {
  const source = parseSource(text, place);
  const list = (source.value as { received: Json[] }).received;
  const [splice, ...more] = spliceEdit(source, { op: 'insert', path: ['received'], index: list.length, value: item });
  expect(more).toEqual([]);
  return splice === undefined ? text : text.slice(0, splice.start) + splice.text + text.slice(splice.end);
}

const item = { id: 'B', body: 'Greet\nthe cat.\n', state: 'new' };

describe('appendItem adds an item in the same place as the full parser, to', () => {
  test.each([
    'received:\n- id: A\n',
    'received:\n  - id: A\n    body: |\n      one\n\n      - two\n    state: new\ntasks: []\n',
    'received:\n- id: A\n  body: |\n    received:\n    - x\n\n    tasks:\ndispatched: []\n',
    '# mine\n\ntasks:\n- id: received\n\nreceived:\n- id: A\n  state: new\n\n\ndispatched:\n- id: C\n',
    'received:\n- id: A # why\n- id: C\n  state: new # why\n\n',
    'received:\n- id: A\n  # why\n- id: C\n  declined_reason: |-\n    one\n    two\n',
  ])('%j', (text) => {
    expect(appendItem(text, 'received', item)).toBe(spliced(text, item));
    const { received } = parseYaml(text, place).value as { readonly received: readonly Json[] };
    const edit = { op: 'insert', path: ['received'], index: received.length, value: item } as const;
    expect(editYaml(text, [edit], place)).toBe(spliced(text, item));
  });
});

describe('appendItem leaves the unsure to the full parser:', () => {
  test.each([
    'tasks: []\n',
    'received: []\n',
    'received: # why\n- id: A\n',
    'received:\n\n- id: A\n',
    'received:\n- id: A',
    'received:\r\n- id: A\r\n',
    'received:\n- id: A\n# of the tasks\ntasks: []\n',
    'received:\n- id: A\n  # why\n',
    'received:\n- id: A\n  body: |\n    x\n\ntasks: []\n',
    'received:\n- id: A\n---\nreceived: []\n',
    'received:\n- id: A\n-x: y\n',
  ])('%j', (text) => {
    expect(appendItem(text, 'received', item)).toBeUndefined();
  });

  test.each<[string, Json]>([
    ['a list', ['x']],
    ['a record that holds a list', { id: 'B', tags: ['x'] }],
    ['an empty record', {}],
  ])('adding %s', (_name, other) => {
    expect(appendItem('received:\n- id: A\n', 'received', other)).toBeUndefined();
  });
});

/** A failure prints its seed. */
test('appendItem changes random backlogs byte for byte as the full parser does', () => {
  const word = fc.constantFrom(
    'a',
    'B',
    '#',
    '- ',
    ': ',
    '\n',
    ' ',
    "'",
    '"',
    '|',
    'received:',
    'é',
    '\n\n',
    '- id: x',
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(''));
  const record = fc.record({ id: fc.uuid(), body: text, state: fc.constantFrom<Json>('new', 7, null) });
  const lists = fc.record({ tasks: fc.array(record, { maxLength: 2 }), received: fc.array(record, { maxLength: 3 }) });
  const order = fc.constantFrom(['tasks', 'received'] as const, ['received', 'tasks'] as const);
  const style = fc.record({ indentSeq: fc.boolean(), lineWidth: fc.constant(0) });
  let appended = 0;
  const isWhatTheParserGives = fc.property(lists, order, style, record, (given, keys, written, added) => {
    const before = stringify(Object.fromEntries(keys.map((key) => [key, given[key]])), written);
    const after = appendItem(before, 'received', added);
    if (after === undefined) return;
    appended++;
    expect(after).toBe(spliced(before, added));
  });
  const tried = fc.check(isWhatTheParserGives, { numRuns: 2000 });
  expect(fc.defaultReportMessage(tried)).toBeUndefined();
  expect(appended).toBeGreaterThan(200);
});
