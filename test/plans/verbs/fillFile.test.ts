import { expect, test } from 'vitest';
import { memorySchema } from '../../../src/model/memory.ts';
import { fillFile } from '../../../src/plans/verbs/fillFile.ts';
import { makeContext } from './context.ts';

const filling = { file: 'memory.yaml', list: 'entries', schema: memorySchema, noun: 'entries' } as const;
const body = 'entries:\r\n- id: a\r\n  title: A\r\n  body: It is.\r\n';

test('filling a missing file writes the text byte for byte and ends its last line', () => {
  const missing = makeContext({ texts: new Map() });
  expect(fillFile(filling, body, missing).edits.get('memory.yaml')).toBe(body);
  expect(fillFile(filling, body.trimEnd(), missing).edits.get('memory.yaml')).toBe(`${body.trimEnd()}\n`);
});

test('filling an empty list keeps the other bytes of the file', () => {
  const context = makeContext({ texts: new Map([['memory.yaml', '# mine\nnote: [1,   2]\nentries: [] # yet\n']]) });
  const text = fillFile(filling, body, context).edits.get('memory.yaml') ?? '';
  expect(text.startsWith('# mine\nnote: [1,   2]\nentries:')).toBe(true);
  expect(text).toContain('# yet');
});
