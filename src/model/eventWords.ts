import { excerpt, firstLine, formatCount, formatDollars } from '../base/text.ts';
import type { AnswerWord } from './approval.ts';
import type { SessionEnd, Usage } from './event.ts';

/** Words for what happens, the same in a terminal and on a page. */
export const answerWordsPast: Readonly<Record<AnswerWord, string>> = {
  accept: 'accepted',
  edit: 'edited',
  reject: 'rejected',
  retry: 'settled by a retry',
  dismiss: 'dismissed',
  superseded: 'settled by another decision',
};

export const sessionEnds: Readonly<Record<Exclude<SessionEnd, 'exited'>, string>> = {
  crashed: 'the session crashed',
  timeLimit: 'the session was ended: it ran for too long',
  byteLimit: 'the session was ended: it wrote too much',
  costLimit: 'the session was ended: it cost too much',
  stopped: 'the session was stopped',
  lost: 'the session is gone, and nobody saw it end',
};

/** `3,400 in, 120 out, $0.02`; a cost that nobody reported is marked. */
export function formatUsage(usage: Usage): string {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const tokens = `${formatCount(input)} tokens in, ${formatCount(usage.outputTokens)} out`;
  if (usage.costUsd === undefined) return tokens;
  return `${tokens}, ${usage.costBasis === 'estimated' ? 'about ' : ''}${formatDollars(usage.costUsd)}`;
}

/** What a tool call is about, in a few words; paths inside the project without the path of the project. */
export function describeCall(tool: string, input: unknown, project?: string): string {
  const fields = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const path = [fields['file_path'], fields['path']].find((value) => typeof value === 'string');
  if (path !== undefined) return `${tool} ${firstLine(within(project, String(path)))}`;
  const subject = ['command', 'pattern', 'id', 'title', 'outcome', 'into']
    .map((name) => fields[name])
    .find((value) => typeof value === 'string');
  return subject === undefined ? tool : `${tool} ${firstLine(String(subject))}`;
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
