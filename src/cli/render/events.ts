import { firstLine, formatBytes, formatDuration, plural } from '../../base/text.ts';
import { describeConfinement } from '../../model/confinement.ts';
import { eventRowOf, type OwnFormEvent, type RavelEvent } from '../../model/event.ts';
import { answerWordsPast, describeCall, formatUsage, sessionEndText } from '../../model/eventText.ts';
import type { HarnessOutput } from '../../model/harnessOutput.ts';
import type { MessageType } from '../../model/message.ts';
import { deciders, routedNouns, senderText } from '../../model/routingText.ts';
import { finishTool } from '../../model/sessionTools.ts';
import { verbFromTool, verbs } from '../../model/verbs.ts';
import { formatDiagnostic } from './diagnostics.ts';
import type { Progress } from './progress.ts';
import type { Style } from './style.ts';
import { clip, wrap } from './text.ts';

export interface EventFormat {
  readonly style: Style;
  readonly columns: number;
  /** Progress of the plan including this event, and the time since its phase started. */
  readonly progress: Progress;
  readonly elapsedMs: number;
  /** Absolute path of the project; paths inside it are shown relative to it. */
  readonly project?: string;
}

/** An event as lines that stay on the screen; none for what only the live rows show. */
export function formatEvent(event: RavelEvent, format: EventFormat): string[] {
  const { line } = eventRowOf(event.type);
  if (line === 'none') return [];
  if (line === 'own') return formatOwn(event as OwnFormEvent, format);
  const { style, columns } = format;
  return [line(event)].flat().flatMap(({ tone, sign, text }) => {
    // What is waited for can name the commands that end the waiting.
    if (event.type === 'run.queued') return wrapped(style[tone](sign), text, columns);
    return [`  ${style[tone](sign)} ${clip(text, columns - 4)}`];
  });
}

function formatOwn(event: OwnFormEvent, format: EventFormat): string[] {
  const { style, columns } = format;
  const row = (sign: string, text: string) => `  ${sign} ${clip(text, columns - 4)}`;
  switch (event.type) {
    case 'phase.started': {
      const details = [event.task === undefined ? undefined : `task ${event.task}`, event.harness];
      const text = details.filter((detail) => detail !== undefined).join(', ');
      return ['', `${style.accent('▶')} ${style.strong(event.phase)}${text === '' ? '' : `  ${style.faint(text)}`}`];
    }
    case 'phase.ended':
      return formatPhaseEnd(event, format);
    case 'session.started': {
      const { session, confinement, givenBytes, givenTokens } = event;
      const given = `${formatBytes(givenBytes)}, about ${plural(givenTokens, 'token')}`;
      // A session that was taken over was given its part by an earlier owner.
      const [begun, size] = event.reattached ? ['taken over', ''] : ['fresh', `, given ${given}`];
      const inWhat = confinement?.state === 'confined' ? ', confined' : '';
      return [
        style.faint(row('·', `${begun} session ${session}${inWhat}${size}`)),
        ...(confinement?.state === 'unconfined'
          ? wrapped(style.notice('!'), describeConfinement(confinement), columns)
          : []),
      ];
    }
    case 'session.output':
      return formatOutput(event.output, format);
    case 'session.ended':
      return [sessionEndText(event) ?? []].flat().flatMap((text) => wrapped(style.bad('✗'), text, columns));
    case 'gate.judged':
      return formatVerdict(event, format);
    case 'approval.opened':
      return wrapped(style.notice('?'), openedWords(event), columns);
    case 'approval.decided':
      return [row(style.good('✓'), decidedWords(event))];
    case 'actor.changed':
      return formatActor(event, format);
    case 'message.handled':
      return formatHandled(event, format);
    case 'message.routing':
      return [style.faint(row('·', `${routedNoun(event.messageType)} ${event.message}: ${firstLine(event.text)}`))];
    case 'message.routed':
      return [formatRouted(event, format)];
    case 'diagnostic':
      return formatDiagnostic(event.diagnostic, style, columns - 2).map((line) => `  ${line}`);
  }
}

/** Wraps a text that the user should read to its end. */
function wrapped(sign: string, text: string, columns: number): string[] {
  return wrap(text, columns - 4).map((line, at) => `  ${at === 0 ? sign : ' '} ${line}`);
}

function formatRouted(event: Extract<RavelEvent, { type: 'message.routed' }>, { style, columns }: EventFormat): string {
  const { outcome, messageType, step, rules } = event;
  const line = (sign: string, text: string) => `  ${sign} ${clip(text, columns - 4)}`;
  const noun = routedNoun(messageType);
  const by =
    step === 'rules' && rules.length > 0
      ? `${rules.length === 1 ? 'rule' : 'rules'} ${rules.join(', ')}`
      : deciders[step];
  switch (outcome.kind) {
    case 'routed':
      return line(style.good('→'), `the ${noun} goes to ${outcome.to}, by ${by}`);
    case 'refused':
      return line(style.bad('✗'), `the ${noun} is refused: ${firstLine(outcome.reason)}`);
    case 'waiting':
      return line(style.notice('?'), `the ${noun} needs your decision (${outcome.approval})`);
  }
}

function routedNoun(type: MessageType): string {
  return type === 'dispatch' || type === 'query' ? routedNouns[type] : type;
}

function formatPhaseEnd(event: Extract<RavelEvent, { type: 'phase.ended' }>, format: EventFormat): string[] {
  const { style, columns, progress, elapsedMs } = format;
  const facts = [
    formatDuration(elapsedMs),
    ...(progress.givenBytes > 0 ? [`given ${formatBytes(progress.givenBytes)}`] : []),
    ...(progress.usage === undefined ? [] : [formatUsage(progress.usage)]),
    ...(progress.gatesPassed > 0 ? [`${plural(progress.gatesPassed, 'check')} passed`] : []),
    ...(progress.gatesRefused > 0 ? [`${progress.gatesRefused} refused`] : []),
    ...(progress.commits > 0 ? [plural(progress.commits, 'commit')] : []),
  ];
  const sign =
    event.end === 'finished' ? style.good('✓') : event.end === 'waiting' ? style.notice('?') : style.bad('✗');
  return [
    `${sign} ${style.strong(`${event.phase} ${event.end}`)}  ${style.faint(facts.join(' · '))}`,
    // What a phase waits with was shown when it was asked.
    ...(event.end === 'waiting' || event.summary.trim() === '' || facts.includes(event.summary)
      ? []
      : wrap(event.summary, columns - 4).map((line) => `    ${line}`)),
  ];
}

/** Calls of session tools whose effect is an event of its own; what only reads has none. */
function isShownElsewhere(tool: string): boolean {
  const verb = verbFromTool(tool);
  return tool === finishTool || (verb !== undefined && !('reads' in verbs[verb]));
}

function formatOutput(output: HarnessOutput, { style, columns, progress, project }: EventFormat): string[] {
  switch (output.kind) {
    case 'text':
      return wrap(output.text, columns - 4).map((line) => `  ${style.faint('│')} ${line}`.trimEnd());
    case 'toolStarted':
      if (isShownElsewhere(output.tool)) return [];
      return [`  ${style.accent('·')} ${clip(describeCall(output.tool, output.input, project), columns - 4)}`];
    case 'toolEnded': {
      if (!output.isError && (output.exitCode ?? 0) === 0) return [];
      // A verb or gate told it already: it answers only after its event.
      if (progress.refusals.some((said) => output.output.includes(said))) return [];
      const what = output.exitCode === undefined ? '' : `exit ${output.exitCode}: `;
      const said = output.output.replace(/^Exit code \d+\n/, '');
      return [`    ${style.bad('✗')} ${clip(`${what}${firstLine(said)}`, columns - 6)}`];
    }
    case 'retry':
      return [`  ${style.notice('!')} ${clip(`try ${output.attempt}: ${firstLine(output.reason)}`, columns - 4)}`];
    case 'warning':
      return [`  ${style.notice('!')} ${clip(firstLine(output.message), columns - 4)}`];
    case 'result':
      return output.isError ? [`  ${style.bad('✗')} ${clip(firstLine(output.reason), columns - 4)}`] : [];
    case 'ready':
    case 'usage':
      return [];
  }
}

/** Waking and sleeping is nothing that a person must know. */
function formatActor(event: Extract<RavelEvent, { type: 'actor.changed' }>, { style, columns }: EventFormat): string[] {
  if (event.state !== 'faulted') return [];
  return [
    `  ${style.bad('✗')} ${clip(`takes no more messages: ${firstLine(event.reason ?? 'faulted')}`, columns - 4)}`,
  ];
}

function formatHandled(event: Extract<RavelEvent, { type: 'message.handled' }>, format: EventFormat): string[] {
  const { style, columns } = format;
  const { outcome, messageType, from } = event;
  const what = `${messageType} from ${senderText(from)}`;
  if (outcome.kind === 'done') return [`  ${style.good('✉')} ${clip(`${what}: ${outcome.summary}`, columns - 4)}`];
  return [`  ${style.notice('✉')} ${clip(`${what} rejected: ${firstLine(outcome.reason)}`, columns - 4)}`];
}

/** What a person does with the phase withdraws its question. */
function decidedWords({ approval, by, decision }: Extract<RavelEvent, { type: 'approval.decided' }>): string {
  switch (decision) {
    case 'retry':
      return `The question ${approval} is withdrawn; the phase is retried.`;
    case 'dismiss':
      return `The question ${approval} is withdrawn; the phase is dismissed.`;
    case 'superseded':
      return `The question ${approval} is withdrawn; another decision settles it.`;
    default:
      return `${by} ${answerWordsPast[decision]} what ${approval} asked`;
  }
}

/** The gate has just said what a tool is to do; where to answer is what is new. */
function openedWords({ kind, subject, approval }: Extract<RavelEvent, { type: 'approval.opened' }>): string {
  const answer = `\`ravel approvals show ${approval}\``;
  return kind === 'tool-request'
    ? `you can allow it once: ${answer}`
    : `needs your answer: ${subject} (${kind}); ${answer}`;
}

/** Gates that pass are only counted; one that does not says why, and what it found. */
function formatVerdict(event: Extract<RavelEvent, { type: 'gate.judged' }>, { style, columns }: EventFormat): string[] {
  if (event.outcome === 'accept' || event.outcome === 'modify') return [];
  const asks = event.outcome === 'needs-approval';
  if (event.call !== undefined) {
    const [sign, words] = asks ? [style.notice('?'), 'not allowed without you'] : [style.bad('✗'), 'not allowed'];
    return [
      `  ${sign} ${clip(`${words}: ${firstLine(event.call)}`, columns - 4)}`,
      ...wrap(event.reason ?? '', columns - 6).map((line) => `      ${line}`),
    ];
  }
  const verdict = asks ? 'asks for your approval' : 'refused';
  const text = `gate ${event.gate} ${verdict}${event.reason === undefined ? '' : `: ${firstLine(event.reason)}`}`;
  return [
    `  ${asks ? style.notice('?') : style.bad('✗')} ${clip(text, columns - 4)}`,
    ...(event.findings ?? []).map((finding) => `      ${clip(`- ${firstLine(finding)}`, columns - 6)}`),
  ];
}
