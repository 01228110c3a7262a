import * as z from 'zod';
import { visible } from '../base/fence.ts';
import type { CallResult, ToolDescription } from '../model/requests/sessions.ts';

/** A tool as a harness is told of it. */
export function describeTool({
  name,
  description,
  args,
}: Pick<ToolDescription, 'name' | 'description'> & { readonly args: z.ZodType }): ToolDescription {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(args, { io: 'input' });
  return { name, description, inputSchema };
}

export function failed(text: string): CallResult {
  return { text, isError: true };
}

/** A refusal as a session reads it. */
export function formatRefusal(problem: { code: string; message: string; help?: string }): string {
  return quoting(`${problem.code}: ${problem.message}${problem.help === undefined ? '' : `\n${problem.help}`}`);
}

/**
 * An answer that may quote others: what cannot be seen is spelled out, and no line of it begins with the mark of a note
 * of the person.
 */
export function quoting(text: string): string {
  return visible(text).replace(/^>/gm, '\\>');
}

export function unknownTool(name: string, known: readonly string[]): CallResult {
  return failed(`There is no tool ${name} here. The tools are: ${known.join(', ')}.`);
}

/** What is wrong with the arguments of a call, in one sentence. */
export function describeMisfit(tool: string, { issues }: z.ZodError): string {
  const sentences = issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  return `The arguments of ${tool} do not fit: ${sentences.join('; ')}.`;
}
