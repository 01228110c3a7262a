import { relative, resolve } from 'node:path';
import type { SessionPurpose } from '../../model/sessionPurpose.ts';
import type { ToolRequest } from '../../model/verdict.ts';
import { judgeCommandLine } from './commandLine.ts';
import { scopeOfGlobs, secretInScope } from './searchGate.ts';
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

/** Which tools a session has beside the session tools. */
const rightsOf: Readonly<Record<SessionPurpose, 'everything' | 'reading' | 'sessionTools'>> = {
  work: 'everything',
  'analyse-work': 'reading',
  reflect: 'sessionTools',
  dream: 'sessionTools',
  triage: 'sessionTools',
  route: 'reading',
  check: 'sessionTools',
  answer: 'sessionTools',
  facts: 'sessionTools',
};

/**
 * Judges one question of a harness; what is not known is denied.
 *
 * This is a seat belt, not a sandbox. It keeps a session that means well inside its project and away from what is not its
 * business; a program that it may run, a test for instance, can still do whatever the account can do.
 */
export function judgeTool(request: ToolRequest): ToolVerdict {
  const { purpose } = request;
  const { tool_name: tool, input } = request.request;
  if (tool.startsWith('mcp__ravel__')) return { decision: 'allow' };
  const rights = rightsOf[purpose];
  if (rights === 'sessionTools') return deny(`A session for ${purpose} uses the session tools alone.`);
  const row = fileTools.get(tool);
  if (row !== undefined) {
    if (row.access !== 'read' && rights !== 'everything')
      return deny(`Only a session for work changes files; this one is for ${purpose}.`);
    // The program itself opens the file, so no sandbox holds it: a temporary file of theirs is one that others see.
    return judgeFileTool({ ...request, confinement: 'unconfined' }, row.access, row.fields);
  }
  if (tool !== 'Bash') return deny(`The tool ${tool} is not one that a session has.`);
  if (rights !== 'everything') return deny(`Only a session for work runs commands; this one is for ${purpose}.`);
  const command = input['command'];
  if (typeof command !== 'string') return deny('The command is missing.');
  return judgeCommandLine(request, command) ?? { decision: 'allow' };
}

function judgeFileTool(request: ToolRequest, access: Access, fields: readonly string[]): ToolVerdict {
  const { tool_name: tool, input } = request.request;
  let question: ToolVerdict | undefined;
  for (const field of fields) {
    const path = input[field] ?? (searchTools.has(tool) ? '.' : undefined);
    if (typeof path !== 'string' || path === '') return deny(`The tool ${tool} was used without ${field}.`);
    if (path.startsWith('~')) return deny(`${tool} may not use ${path}: it lies outside the project.`);
    const problem = fileProblem(request, path, access);
    if (problem?.decision === 'deny') return deny(`${tool} may not use ${path}: ${problem.clause}.`);
    if (problem !== undefined) question ??= ask(`${tool} of ${path} needs a person’s leave: ${problem.clause}.`);
  }
  const pattern = tool === 'Glob' ? input['pattern'] : tool === 'Grep' ? input['glob'] : undefined;
  if (typeof pattern === 'string' && /^!?[~/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(pattern)) {
    return deny(`The pattern ${pattern} leaves the folder that is searched; name the folder in path.`);
  }
  return (tool === 'Grep' ? judgeGrep(request) : undefined) ?? question ?? { decision: 'allow' };
}

/** Grep shows what it finds, in hidden files too, and no sandbox is around it. */
function judgeGrep(request: ToolRequest): ToolVerdict | undefined {
  const { path = '.', glob, type } = request.request.input;
  if (typeof path !== 'string') return deny('The path is missing.');
  const start = request.resolvePath(resolve(request.workingDirectory ?? request.projectDirectory, path));
  const found = request.secretFilesBelow(start);
  if (found === 'tooMany')
    return deny('The folder holds too many files to know whether one holds secrets; name a smaller one in path.');
  const globs = typeof glob === 'string' ? glob.split(/[\s,]+/).filter((one) => one !== '') : [];
  const scope = scopeOfGlobs(globs, typeof type === 'string' ? [type] : [], true);
  const first = secretInScope(found, start, scope, { request });
  if (first === undefined) return undefined;
  const shown = relative(start, first) || path;
  return deny(
    `Grep would also read ${shown}, which may hold secrets; name a folder in path, or files in glob such as *.ts or !ravel/**.`,
  );
}

function ask(reason: string): ToolVerdict {
  return { decision: 'ask', reason };
}

/** A session that runs outside the project has the files there to read as well: they are its own copies. */
function fileProblem(request: ToolRequest, path: string, access: Access): ReturnType<typeof pathProblem> {
  const { workingDirectory = request.projectDirectory } = request;
  const problem = pathProblem(request, path, access, workingDirectory);
  if (problem === undefined || access !== 'read') return problem;
  const own = { ...request, projectDirectory: request.resolvePath(workingDirectory) };
  return pathProblem(own, path, access, workingDirectory) === undefined ? undefined : problem;
}

function deny(reason: string): ToolVerdict {
  return { decision: 'deny', reason };
}
