import * as z from 'zod';
import { visible } from '../base/fence.ts';
import { parseJson } from '../base/json.ts';
import type { CallResult, ToolDescription } from '../model/requests/sessions.ts';
import { type PermitArgs, permitArgsSchema, permitTool } from '../model/sessionTools.ts';
import type { ToolAnswer } from './toolVerdicts.ts';

/** A tool as a harness is told of it. */
export function describeTool({
  name,
  description,
  args,
}: Pick<ToolDescription, 'name' | 'description'> & { readonly args: z.ZodType }): ToolDescription {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(args, { io: 'input' });
  return { name, description, inputSchema };
}

/** The tool by which a harness asks whether one of its own may be used. */
export const permitDescription = describeTool({
  name: permitTool,
  description: 'Asks whether a tool may be used; called by the harness itself.',
  args: permitArgsSchema,
});

/** The answer to it, in the form that harnesses expect: `behavior` allow or deny. */
export function permission({ decision, reason, input: changed }: ToolAnswer, { input }: PermitArgs): CallResult {
  const answer =
    decision === 'allow'
      ? { behavior: 'allow', updatedInput: changed ?? input }
      : { behavior: 'deny', message: reason };
  return { text: JSON.stringify(answer), isError: false };
}

/** What the memory has about a tool that was used, in the form in which hooks add to its answer. */
export function recalled(text: string): CallResult {
  const answer = text === '' ? {} : { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: text } };
  return { text: JSON.stringify(answer), isError: false };
}

/** The text of such an answer; empty if there is none. */
export function additionalContext(answer: string): string {
  const { data } = additionSchema.safeParse(parseJson(answer));
  return data?.hookSpecificOutput.additionalContext ?? '';
}

const additionSchema = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) });

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
