import { firstLine, harmless } from '../../base/text.ts';
import { describeConfinement } from '../../model/confinement.ts';
import type { RavelEvent } from '../../model/event.ts';
import { answerWordsPast, describeCall, formatUsage, sessionEndText } from '../../model/eventText.ts';
import type { HarnessOutput } from '../../model/harnessOutput.ts';
import { codeBlock } from '../sanitizeLabel.ts';

/** A transcript as Markdown, for readers whose tools read documents better than pages. */
export function transcriptText(session: string, events: readonly RavelEvent[]): string {
  const calls = new Map<string, string>();
  const parts = events.flatMap((event) => textOf(event, calls) ?? []);
  return `${[`# Session ${session}`, ...parts].join('\n\n')}\n`;
}

function textOf(event: RavelEvent, calls: Map<string, string>): string | undefined {
  switch (event.type) {
    case 'phase.started':
      return `## ${event.phase}\n\nStarted ${event.at}${event.task === undefined ? '' : `, task ${event.task}`}.`;
    case 'phase.ended':
      return `## ${event.phase} ${event.end}\n\n${harmless(event.summary)}`;
    case 'session.started':
      return event.confinement && `Its commands are ${harmless(describeConfinement(event.confinement))}`;
    case 'session.output':
      return outputText(event.output, calls);
    case 'session.verb':
      return `- ${event.applied ? 'Done' : 'Refused'}: ${event.verb}: ${firstLine(event.summary)}`;
    case 'session.ended':
      return ended(sessionEndText(event));
    case 'gate.judged':
      if (event.outcome === 'accept') return undefined;
      if (event.call !== undefined) {
        const words = event.outcome === 'needs-approval' ? 'Not allowed without you' : 'Not allowed';
        return `**${words}:** ${firstLine(event.call)}: ${harmless(event.reason ?? '')}`;
      }
      return [
        `**Gate ${event.gate}, ${event.outcome}:** ${harmless(event.reason ?? '')}`,
        ...(event.findings ?? []).map((finding) => `- ${firstLine(finding)}`),
      ].join('\n');
    case 'state.merged':
      return `**Merged:** ${event.files.join(', ') || 'nothing'}.`;
    case 'approval.opened':
      return `**Needs your answer:** ${firstLine(event.subject)} (${event.approval})`;
    case 'approval.decided':
      return `**Answered:** ${event.by} ${answerWordsPast[event.decision]} it.`;
    case 'session.noted':
      return `**Got your note:** ${harmless(event.text)}`;
    case 'session.recalled':
      return [
        `**Got from the memory after ${harmless(event.tool)}:**`,
        ...event.entries.map((title) => `- ${harmless(firstLine(title))}`),
      ].join('\n');
    case 'diagnostic':
      return `**Note:** ${harmless(event.diagnostic.message)}`;
    default:
      return undefined;
  }
}

function outputText(output: HarnessOutput, calls: Map<string, string>): string | undefined {
  switch (output.kind) {
    case 'text':
      return harmless(output.text).trim();
    case 'toolStarted': {
      calls.set(output.callId, output.tool);
      return `### ${describeCall(output.tool, output.input)}\n\n${codeBlock(JSON.stringify(output.input, null, 2) ?? '', 'json')}`;
    }
    case 'toolEnded': {
      const tool = calls.get(output.callId) ?? 'A call';
      const end = output.exitCode === undefined ? (output.isError ? 'failed' : 'ended') : `exit ${output.exitCode}`;
      return `${tool}, ${end}:\n\n${codeBlock(harmless(output.output), '')}`;
    }
    case 'ready':
      return `Model ${output.model}, harness version ${output.version}.`;
    case 'result':
      return `**Result:** ${output.isError ? harmless(output.reason) : formatUsage(output.usage)}`;
    case 'retry':
      return `**Try ${output.attempt}:** ${firstLine(output.reason)}`;
    case 'warning':
      return `**Warning:** ${firstLine(output.message)}`;
    case 'usage':
      return undefined;
  }
}

function ended(how: string | undefined): string | undefined {
  return how && `**Ended:** ${how}.`;
}
