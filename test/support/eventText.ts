import type { RavelEvent } from '../../src/model/event.ts';

/** Gives each id, time, hash and temporary path of a run a name that is the same in every run. */
export function createNormaliser(root: string): (text: string) => string {
  const ulids = new Map<string, string>();
  const commits = new Map<string, string>();
  const name = (names: Map<string, string>, prefix: string) => (found: string) => {
    const known = names.get(found) ?? `<${prefix}-${names.size + 1}>`;
    names.set(found, known);
    return known;
  };
  return (text) =>
    text
      .replaceAll(root, '<root>')
      .replace(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, name(ulids, 'ulid'))
      .replace(/\b[0-9a-f]{40}\b/g, name(commits, 'commit'))
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
      .replace(/\b\d{4}-\d\d-\d\d\b/g, '<date>');
}

/**
 * Events as lines: what happened, without what was measured or is the machine's. What a harness says reaches its owner through a file, and
 * what its session does through a socket, so the order between the two is random: a session's outputs stand together
 * before its end.
 */
export function formatEvents(events: readonly RavelEvent[], normalise: (text: string) => string): string {
  const calls = new Map<string, string>();
  const lines: string[] = [];
  const outputs: string[] = [];
  for (const event of events) {
    if (event.type === 'spawn.measured') continue;
    if (event.type === 'session.ended') {
      lines.push(...outputs.splice(0));
      calls.clear();
    }
    const line = formatEvent(event, calls);
    if (line === undefined) continue;
    if (event.type === 'session.output') outputs.push(line);
    else lines.push(line);
  }
  return `${normalise([...lines, ...outputs].join('\n'))}\n`;
}

function formatEvent(event: RavelEvent, calls: Map<string, string>): string | undefined {
  const { at: _at, actor: _actor, type, ...rest } = event;
  if (event.type === 'session.output') {
    const { output } = event;
    if (output.kind === 'ready' || output.kind === 'usage' || output.kind === 'result') return undefined;
    if (output.kind === 'toolStarted' || output.kind === 'toolEnded') {
      const call = calls.get(output.callId) ?? `call-${calls.size + 1}`;
      calls.set(output.callId, call);
      if (output.kind === 'toolEnded') return `${type} ended ${call} ${output.isError ? 'error' : 'ok'}`;
      return `${type} started ${call} ${output.tool} ${JSON.stringify(output.input)}`;
    }
    return `${type} ${JSON.stringify(output)}`;
  }
  const facts: Record<string, unknown> = { ...rest };
  for (const measured of ['givenBytes', 'givenTokens', 'durationMs', 'usage', 'harness', 'confinement']) {
    delete facts[measured];
  }
  // The program's own; that an effect stands under its call is tested where rows are.
  if (event.type === 'session.verb') delete facts['callId'];
  return `${type} ${JSON.stringify(facts)}`;
}
