import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeMisfit, describeTool, failed, formatRefusal, unknownTool } from '../../src/harness/toolAnswers.ts';

test('a refusal has its code, its message and its help', () => {
  expect(formatRefusal({ code: 'a/b', message: 'No.' })).toBe('a/b: No.');
  expect(formatRefusal({ code: 'a/b', message: 'No.', help: 'Try c.' })).toBe('a/b: No.\nTry c.');
  expect(failed('No.')).toEqual({ text: 'No.', isError: true });
});

test('a tool is described with the JSON Schema of its arguments', () =>
  expect(describeTool({ name: 'say', description: 'Says it', args: z.strictObject({ text: z.string() }) })).toEqual({
    name: 'say',
    description: 'Says it',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
  }));

test('an unknown tool is answered with the list of tools', () =>
  expect(unknownTool('go', ['say', 'ask'])).toEqual({
    text: 'There is no tool go here. The tools are: say, ask.',
    isError: true,
  }));

test('arguments that do not fit are named by their path', () => {
  const { error } = z.strictObject({ text: z.string('no text') }).safeParse({ text: 1, more: 2 });
  expect(error && describeMisfit('say', error)).toBe(
    'The arguments of say do not fit: text: no text; arguments: Unrecognized key: "more".',
  );
});
