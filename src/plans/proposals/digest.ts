import type { RavelEvent } from '../../model/event.ts';

export interface RanCommand {
  readonly command: string;
  readonly exitCode: number;
}

type Events = Iterable<RavelEvent> | AsyncIterable<RavelEvent>;

/** Shell commands of a session whose exit code is known. */
export async function commandsOf(transcript: Events): Promise<RanCommand[]> {
  const started = new Map<string, string>();
  const commands: RanCommand[] = [];
  for await (const event of transcript) {
    if (event.type !== 'session.output') continue;
    const { output } = event;
    if (output.kind === 'toolStarted') {
      const command = commandIn(output.input);
      if (command !== undefined) started.set(output.callId, command);
    }
    if (output.kind === 'toolEnded' && output.exitCode !== undefined) {
      const command = started.get(output.callId);
      if (command !== undefined) commands.push({ command, exitCode: output.exitCode });
      started.delete(output.callId);
    }
  }
  return commands;
}

function commandIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input)) return undefined;
  return typeof input.command === 'string' ? input.command : undefined;
}

/** Characters of a digest, and of one output in it. */
const digestCharactersMax = 16_000;
const outputCharactersMax = 400;

/**
 * What the work session said and did, made by code: without it an analysis has no claim to check. The end is kept if
 * it is too long, since a session concludes at its end.
 */
export async function formatDigest(transcript: Events): Promise<string> {
  let text = '';
  let isCut = false;
  for await (const event of transcript) {
    for (const line of digestLines(event)) text += `${text === '' ? '' : '\n'}${line}`;
    if (text.length <= 2 * digestCharactersMax) continue;
    text = text.slice(-digestCharactersMax);
    isCut = true;
  }
  if (text === '') return '(no work session is on record)';
  if (!isCut && text.length <= digestCharactersMax) return text;
  return `(... the beginning is left out ...)\n${text.slice(-digestCharactersMax)}`;
}

function digestLines(event: RavelEvent): string[] {
  if (event.type === 'session.verb') {
    return [`state: ${event.verb} – ${event.applied ? event.summary : `refused: ${event.summary}`}`];
  }
  if (event.type === 'diagnostic') return [`(${event.diagnostic.message})`];
  if (event.type !== 'session.output') return [];
  const { output } = event;
  if (output.kind === 'text') return [`said: ${output.text.trim()}`];
  if (output.kind === 'toolStarted') return [`tool ${output.tool}: ${shorten(JSON.stringify(output.input))}`];
  if (output.kind === 'toolEnded') {
    const code = output.exitCode === undefined ? '' : ` (exit ${output.exitCode})`;
    return [`  ${output.isError ? 'failed' : 'ok'}${code}: ${shorten(output.output)}`];
  }
  return [];
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= outputCharactersMax ? line : `${line.slice(0, outputCharactersMax)} ...`;
}
