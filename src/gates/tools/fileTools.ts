import { basename, relative, resolve, sep } from 'node:path';
import { defined } from '../../base/defined.ts';
import { isWithin } from '../../base/paths.ts';
import type { PermitArgs } from '../../model/sessionTools.ts';
import type { ToolRequest } from '../../model/verdict.ts';
import type { Objection } from './objection.ts';
import { scopeOfGlobs, secretsInScope } from './searchGate.ts';
import type { SearchScope } from './searchScope.ts';
import { type Access, isGitConfigFile, isSharedTemporary, pathLengthMax, pathProblem, secretPart } from './toolPath.ts';

/** What a tool may be used for: with another input, with an objection, or as it is. */
export type Examined =
  | Exclude<Objection, undefined>
  | { readonly decision: 'allow'; readonly input?: PermitArgs['input'] };

interface FileTool {
  readonly access: Access;
  readonly fields: readonly string[];
}

/** Tools on files: the fields that hold paths, and what is done to them. */
export const toolsOnFiles: ReadonlyMap<string, FileTool> = new Map([
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

/** Judges a tool that reads or changes files. */
export function judgeFileUse(request: ToolRequest, { access, fields }: FileTool): Examined {
  // The program itself opens the file, so no sandbox holds it: a temporary file of theirs is one that others see.
  const verdict = judgeFileTool({ ...request, confinement: 'unconfined' }, access, fields);
  return request.confinement === 'confined' && verdict.decision === 'ask'
    ? inOwnTemporary(request, fields, verdict)
    : verdict;
}

/** Leave for such a file would be of no use to the session: its commands have another folder of that name. */
function inOwnTemporary(
  { request, projectDirectory, workingDirectory = projectDirectory }: ToolRequest,
  fields: readonly string[],
  verdict: Examined,
): Examined {
  const path = fields
    .map((field) => resolve(workingDirectory, String(request.input[field])))
    .find((one) => isSharedTemporary(one) && !isWithin(projectDirectory, one));
  if (path === undefined) return verdict;
  return deny(
    `${request.tool_name} may not use ${path}: commands of this session have a temporary folder of their own, which tools on files do not see. Write and read it by a command, or keep the file in the project.`,
  );
}

/** What the gate reads of a search beside its path. */
const patternFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['Glob', ['pattern']],
  ['Grep', ['glob', 'type']],
]);

function judgeFileTool(request: ToolRequest, access: Access, fields: readonly string[]): Examined {
  const { tool_name: tool, input } = request.request;
  const long = [...fields, ...(patternFields.get(tool) ?? [])].find(
    (field) => String(input[field] ?? '').length > pathLengthMax,
  );
  if (long !== undefined) {
    return deny(`${tool} may not use a ${long} of more than ${pathLengthMax} characters; write a shorter one.`);
  }
  let question: Examined | undefined;
  for (const field of fields) {
    const path = input[field] ?? (searchTools.has(tool) ? '.' : undefined);
    if (typeof path !== 'string' || path === '') return deny(`The tool ${tool} was used without ${field}.`);
    if (path.trim() !== path)
      return deny(
        `${tool} may not use “${path}”: it begins or ends with a blank, which the tool removes; write it without.`,
      );
    if (path.startsWith('~')) return deny(`${tool} may not use ${path}: it lies outside the project.`);
    const problem = fileProblem(request, path, access);
    if (problem === undefined) continue;
    const { decision, clause, ...of } = problem;
    if (decision === 'deny') return { decision, reason: `${tool} may not use ${path}: ${clause}.`, ...of };
    question ??= { decision, reason: `${tool} of ${path} needs your approval: ${clause}.`, ...of };
  }
  const pattern = tool === 'Glob' ? input['pattern'] : tool === 'Grep' ? input['glob'] : undefined;
  if (typeof pattern === 'string' && mayLeaveFolder(pattern)) {
    return deny(`The pattern ${pattern} may leave the folder that is searched; name the folder in path.`);
  }
  const searched = tool === 'Grep' ? judgeGrep(request) : undefined;
  return searched?.decision === 'deny' ? searched : (question ?? searched ?? { decision: 'allow' });
}

/** Whether a pattern is absolute or goes up, in one of the alternatives of its braces too. */
function mayLeaveFolder(pattern: string): boolean {
  return pattern.split(/[\s,]+/).some((one) => /^!?[~/\\]/.test(one)) || isUpward(pattern);
}

function isUpward(pattern: string): boolean {
  const pieces = pattern.split(/[@!+*?]?\(|[{},|)\s/\\]/);
  if (pieces.includes('..')) return true;
  if (!/[{(]/.test(pattern)) return false;
  return pattern.includes('..') || /[{(,|][~/\\]/.test(pattern) || pieces.includes('.');
}

/**
 * Grep shows what it finds, in hidden files too, and no sandbox is around it. A search that did not ask for secrets or
 * session logs and would read them too runs without them, if a glob surely leaves them out.
 */
function judgeGrep(request: ToolRequest): Examined | undefined {
  const { path = '.', glob = '', type } = request.request.input;
  if (typeof path !== 'string' || typeof glob !== 'string') return deny('The path or the glob is not text.');
  const root = request.workingDirectory ?? request.projectDirectory;
  const start = request.resolvePath(resolve(root, path));
  if (start.split(sep).some((name) => name.toLowerCase() === '.git'))
    return deny('Grep may not search git’s own files, which can hold a password.');
  const found = request.secretFilesBelow(start);
  if (found === 'tooMany')
    return deny('The folder holds too many files to know whether one holds secrets; name a smaller one in path.');
  const types = typeof type === 'string' ? [type] : [];
  const files = [...new Set([...found, ...gitConfigBelow(request, start)])];
  const among = (globs: string) =>
    secretsInScope(files, start, grepToolScope(globs, types, request.resolvePath(root) === root ? root : undefined), {
      request,
    });
  const shown = among(glob);
  const [first] = shown;
  if (first === undefined) return undefined;
  const names = shown.map((file) =>
    isGitConfigFile(file)
      ? '.git'
      : (secretPart(relative(request.projectDirectory, file).split(sep)) ?? basename(file)).replace(
          /^session-log\..*$/,
          sessionLogs,
        ),
  );
  const without = [glob, ...new Set(names.map((name) => `!**/${name}`))].filter((one) => one !== '').join(' ');
  const canExclude = names.length <= excludedMax && among(without).length === 0;
  const asksForThem = /(?:^|[\s,])[^!\s,]/.test(glob) && names.some((name) => name !== sessionLogs && name !== '.git');
  if (canExclude && !asksForThem) return { decision: 'allow', input: { ...request.request.input, glob: without } };
  const advice = canExclude ? `write the glob ${without}` : 'name a folder in path, or files in glob such as *.ts';
  return deny(`Grep would also read ${relative(start, first) || path}, which may hold secrets; ${advice}.`);
}

/** The names of these, as a glob. */
const sessionLogs = 'session-log.*';
/** As many names as a glob may leave out. */
const excludedMax = 12;

function gitConfigBelow({ projectDirectory }: ToolRequest, start: string): readonly string[] {
  const file = resolve(projectDirectory, '.git', 'config');
  return isWithin(start, file) ? [file] : [];
}

/** Claude Code leaves `.git` out before the globs of the request, which are separated by blanks, or by commas outside of braces. */
function grepToolScope(glob: string, types: readonly string[], root: string | undefined): SearchScope {
  const globs = glob
    .split(/\s+/)
    .flatMap((one) => (one.includes('{') && one.includes('}') ? [one] : one.split(',')))
    .filter((one) => one !== '');
  return scopeOfGlobs(
    ['!.git', ...globs].map((one) => ({ glob: one, foldsCase: false })),
    types,
    { hidden: true, ...defined({ root }) },
  );
}

/** A session that runs outside the project has the files there to read as well: they are its own copies. */
function fileProblem(request: ToolRequest, path: string, access: Access): ReturnType<typeof pathProblem> {
  const { workingDirectory = request.projectDirectory } = request;
  const problem = pathProblem(request, path, access, workingDirectory);
  if (problem === undefined || access !== 'read') return problem;
  const own = { ...request, projectDirectory: request.resolvePath(workingDirectory) };
  return pathProblem(own, path, access, workingDirectory) === undefined ? undefined : problem;
}

function deny(reason: string): Examined {
  return { decision: 'deny', reason, gate: 'protected' };
}
