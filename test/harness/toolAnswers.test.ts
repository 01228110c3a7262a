import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeMisfit, describeTool, failed, formatRefusal, unknownTool } from '../../src/harness/toolAnswers.ts';

test('a refusal has its code, its sentence and what helps', () => {
  expect(formatRefusal({ code: 'a/b', message: 'No.' })).toBe('a/b: No.');
  expect(formatRefusal({ code: 'a/b', message: 'No.', help: 'Try c.' })).toBe('a/b: No.\nTry c.');
  expect(failed('No.')).toEqual({ text: 'No.', isError: true });
});

test('a tool is described by the schema of what it is given', () =>
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

test('a name that no tool has is answered with those that there are', () =>
  expect(unknownTool('go', ['say', 'ask'])).toEqual({
    text: 'There is no tool go here. The tools are: say, ask.',
    isError: true,
  }));

test('arguments that do not fit are named by their place', () => {
  const { error } = z.strictObject({ text: z.string('no text') }).safeParse({ text: 1, more: 2 });
  expect(error && describeMisfit('say', error)).toBe(
    'The arguments of say do not fit: text: no text; arguments: Unrecognized key: "more".',
  );
});
