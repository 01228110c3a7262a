import { t } from '@vscode/l10n';
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
  return `${[t`# Session ${session}`, ...parts].join('\n\n')}\n`;
}

function textOf(event: RavelEvent, calls: Map<string, string>): string | undefined {
  switch (event.type) {
    case 'phase.started':
      return `## ${event.phase}\n\nStarted ${event.at}${event.task === undefined ? '' : t`, task ${event.task}`}.`;
    case 'phase.ended':
      return `## ${event.phase} ${event.end}\n\n${harmless(event.summary)}`;
    case 'session.started':
      return event.confinement && t`Its commands are ${harmless(describeConfinement(event.confinement))}`;
    case 'session.output':
      return outputText(event.output, calls);
    case 'session.verb':
      return `- ${event.applied ? t('Done') : t('Refused')}: ${event.verb}: ${firstLine(event.summary)}`;
    case 'session.ended':
      return ended(sessionEndText(event));
    case 'gate.judged':
      if (event.outcome === 'accept') return undefined;
      if (event.call !== undefined) {
        const words = event.outcome === 'needs-approval' ? t('Not allowed without you') : t('Not allowed');
        return `**${words}:** ${firstLine(event.call)}: ${harmless(event.reason ?? '')}`;
      }
      return [
        t`**Gate ${event.gate}, ${event.outcome}:** ${harmless(event.reason ?? '')}`,
        ...(event.findings ?? []).map((finding) => `- ${firstLine(finding)}`),
      ].join('\n');
    case 'state.merged':
      return t`**Merged:** ${event.files.join(', ') || t('nothing')}.`;
    case 'approval.opened':
      return t`**Needs your answer:** ${firstLine(event.subject)} (${event.approval})`;
    case 'approval.decided':
      return t`**Answered:** ${event.by} ${answerWordsPast[event.decision]} it.`;
    case 'session.noted':
      return t`**Got your note:** ${harmless(event.text)}`;
    case 'session.recalled':
      return [
        t`**Got from the memory after ${harmless(event.tool)}:**`,
        ...event.entries.map((title) => `- ${harmless(firstLine(title))}`),
      ].join('\n');
    case 'diagnostic':
      return t`**Note:** ${harmless(event.diagnostic.message)}`;
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
      const end = output.exitCode === undefined ? (output.isError ? 'failed' : 'ended') : t`exit ${output.exitCode}`;
      return `${tool}, ${end}:\n\n${codeBlock(harmless(output.output), '')}`;
    }
    case 'ready':
      return t`Model ${output.model}, harness version ${output.version}.`;
    case 'result':
      return t`**Result:** ${output.isError ? harmless(output.reason) : formatUsage(output.usage)}`;
    case 'retry':
      return t`**Try ${output.attempt}:** ${firstLine(output.reason)}`;
    case 'warning':
      return t`**Warning:** ${firstLine(output.message)}`;
    case 'usage':
      return undefined;
  }
}

function ended(how: string | undefined): string | undefined {
  return how && t`**Ended:** ${how}.`;
}
