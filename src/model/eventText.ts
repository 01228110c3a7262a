import { excerpt, firstLine, formatCount, formatDollars } from '../base/text.ts';
import type { AnswerWord } from './approval.ts';
import type { EventBody, SessionEnd } from './event.ts';
import type { Usage } from './usage.ts';

type SessionEnded = Extract<EventBody, { readonly type: 'session.ended' }>;

/** Words for what happens, the same in a terminal and on a page. */
export const answerWordsPast: Readonly<Record<AnswerWord, string>> = {
  accept: 'accepted',
  edit: 'edited',
  reject: 'rejected',
  retry: 'settled by a retry',
  dismiss: 'dismissed',
  superseded: 'settled by another decision',
};

const sessionEnds: Readonly<Record<Exclude<SessionEnd, 'exited'>, string>> = {
  crashed: 'the session crashed',
  timeLimit: 'the session was ended: it ran for too long',
  byteLimit: 'the session was ended: it wrote too much',
  costLimit: 'the session was ended: it cost too much',
  stopped: 'the session was stopped',
  lost: 'the session is gone, and its end was not seen',
};

/** How a session ended, and nothing for one that exited by itself. */
export function sessionEndText({ end, notStarted }: Pick<SessionEnded, 'end' | 'notStarted'>): string | undefined {
  if (notStarted !== undefined) return `the session could not be started: ${notStarted.replace(/\.$/, '')}`;
  return end === 'exited' ? undefined : sessionEnds[end];
}

/** `3,400 in, 120 out, $0.02`; a cost that the harness did not report is marked. */
export function formatUsage(usage: Usage): string {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const tokens = `${formatCount(input)} tokens in, ${formatCount(usage.outputTokens)} out`;
  if (usage.costUsd === undefined) return tokens;
  return `${tokens}, ${usage.costBasis === 'estimated' ? 'about ' : ''}${formatDollars(usage.costUsd)}`;
}

/** The field that says what a call of a tool does; what its other fields are named, a session can choose. */
const subjects: ReadonlyMap<string, string> = new Map([
  ['Bash', 'command'],
  ['Glob', 'pattern'],
  ['Grep', 'pattern'],
  ['LS', 'path'],
  ['NotebookEdit', 'notebook_path'],
  ...['Edit', 'MultiEdit', 'NotebookRead', 'Read', 'Write'].map((tool) => [tool, 'file_path'] as const),
]);

/** Ravel's own tools; a program capitalises its tools, and those of others begin with `mcp__`. */
const sessionTool = /^[a-z]+(?:_[a-z]+)*$/;

/** Of a verb, in this order. */
const verbSubjects: readonly string[] = ['id', 'title', 'outcome', 'into'];

/**
 * What a tool call is about, in a few words; paths inside the project without the path of the project. Of a tool that is
 * not known it is the whole input.
 */
export function describeCall(tool: string, input: unknown, project?: string): string {
  const fields = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const isVerb = sessionTool.test(tool);
  const named =
    subjects.get(tool) ?? (isVerb ? verbSubjects.find((name) => typeof fields[name] === 'string') : undefined);
  const value = named === undefined ? undefined : fields[named];
  if (typeof value === 'string') return `${tool} ${firstLine(named === 'command' ? value : within(project, value))}`;
  return isVerb || Object.keys(fields).length === 0 ? tool : `${tool} ${JSON.stringify(input)}`;
}

/** How much of a call one line about it holds, in characters. */
const callMax = 80;

/** The same, never longer than a part of one line. */
export function shortCall(tool: string, input: unknown, project?: string): string {
  return excerpt(describeCall(tool, input, project), callMax);
}

function within(project: string | undefined, path: string): string {
  if (project === undefined || !path.startsWith(project)) return path;
  return /^[\\/](.+)$/.exec(path.slice(project.length))?.[1] ?? path;
}
