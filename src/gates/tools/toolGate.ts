import type { ToolRequest } from '../../model/verdict.ts';
import { judgeCommandLine } from './commandLine.ts';
import { type Access, pathProblem } from './toolPath.ts';

/** What is answered to a harness that asks; `ask` means that a person decides. */
export type ToolVerdict =
  | { readonly decision: 'allow'; readonly notes?: readonly string[] }
  | { readonly decision: 'deny'; readonly reason: string }
  | { readonly decision: 'ask'; readonly reason: string };

/** Tools on files: the fields that hold paths, and what is done to them. */
const fileTools: ReadonlyMap<string, { readonly access: Access; readonly fields: readonly string[] }> = new Map([
  ['Read', { access: 'read', fields: ['file_path'] }],
  ['NotebookRead', { access: 'read', fields: ['notebook_path'] }],
  ['LS', { access: 'read', fields: ['path'] }],
  ['Glob', { access: 'read', fields: ['path'] }],
  ['Grep', { access: 'read', fields: ['path'] }],
  ['Write', { access: 'write', fields: ['file_path'] }],
  ['Edit', { access: 'write', fields: ['file_path'] }],
  ['MultiEdit', { access: 'write', fields: ['file_path'] }],
  ['NotebookEdit', { access: 'write', fields: ['notebook_path'] }],
]);

/** Tools that may leave their path out: they then search where the session is. */
const searchTools: ReadonlySet<string> = new Set(['Glob', 'Grep', 'LS']);

/**
 * Judges one question of a harness; what is not known is denied.
 *
 * This is a seat belt, not a sandbox. It keeps a session that means well inside its project and away from what is not its
 * business; a program that it may run, a test for instance, can still do whatever the account can do.
 */
export function judgeTool(request: ToolRequest): ToolVerdict {
  const { phase } = request;
  const { tool_name: tool, input } = request.request;
  if (tool.startsWith('mcp__ravel__')) return { decision: 'allow' };
  if (phase !== 'work' && phase !== 'analyse-work') return deny(`The phase ${phase} uses the session tools alone.`);
  const row = fileTools.get(tool);
  if (row !== undefined) {
    if (row.access !== 'read' && phase !== 'work') return deny(`Only the phase work changes files; this is ${phase}.`);
    return judgeFileTool(request, row.access, row.fields);
  }
  if (tool !== 'Bash') return deny(`The tool ${tool} is not one that a session has.`);
  if (phase !== 'work') return deny(`Only the phase work runs commands; this is ${phase}.`);
  const command = input['command'];
  if (typeof command !== 'string') return deny('The command is missing.');
  return judgeCommandLine(request, command) ?? { decision: 'allow' };
}

function judgeFileTool(request: ToolRequest, access: Access, fields: readonly string[]): ToolVerdict {
  const { tool_name: tool, input } = request.request;
  for (const field of fields) {
    const path = input[field] ?? (searchTools.has(tool) ? '.' : undefined);
    if (typeof path !== 'string' || path === '') return deny(`The tool ${tool} was used without ${field}.`);
    const problem = path.startsWith('~') ? 'it lies outside the project' : pathProblem(request, path, access);
    if (problem !== undefined) return deny(`${tool} may not use ${path}: ${problem}.`);
  }
  const pattern = tool === 'Glob' ? input['pattern'] : tool === 'Grep' ? input['glob'] : undefined;
  if (typeof pattern === 'string' && /^[~/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(pattern)) {
    return deny(`The pattern ${pattern} leaves the folder that is searched; name the folder in path.`);
  }
  return { decision: 'allow' };
}

function deny(reason: string): ToolVerdict {
  return { decision: 'deny', reason };
}
