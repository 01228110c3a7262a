import { firstLine, plural, shellWord } from '../../base/text.ts';
import type { ActorRow, ActorSummary, DeadLetterRow } from '../../model/requests/actors.ts';
import { senderText } from '../../model/routingText.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';
import { clip, wrap } from './text.ts';

/** One row an actor, and below the table what others wait for and what a person must do. */
export function formatActors(actors: readonly ActorRow[], style: Style, columns: number): string[] {
  if (actors.length === 0) return ['All actors are dormant; all mailboxes are empty.'];
  const rows = actors.map(({ actor, state, queued, deadLetters }) => [
    actor,
    state,
    String(queued),
    String(deadLetters),
  ]);
  const faults = actors.flatMap(({ actor, fault }) =>
    fault === undefined
      ? []
      : [
          '',
          `${style.bad('✗')} ${clip(`${actor}: ${firstLine(fault.message)}`, columns - 2)}`,
          ...helpOf(fault, columns),
          `    ${style.accent(`ravel revive ${shellWord(actor)}`)}`,
        ],
  );
  const reasons = actors.flatMap(({ actor, waitsBecause }) =>
    waitsBecause === undefined ? [] : ['', clip(`· ${actor}: ${waitsBecause}`, columns)],
  );
  return [...formatTable(['ACTOR', 'STATE', 'WAITING', 'DEAD LETTERS'], rows, style, columns), ...reasons, ...faults];
}

/** What a plan's row says of its messages; nothing if none wait and all is well. */
export function describeActor({ queued, deadLetters, fault, waitsBecause }: ActorSummary): string | undefined {
  const parts = [
    ...(fault === undefined ? [] : ['takes no messages']),
    ...(queued === 0 ? [] : [`${plural(queued, 'message')} waiting`]),
    ...(queued === 0 || waitsBecause === undefined ? [] : [waitsBecause]),
    ...(deadLetters === 0 ? [] : [plural(deadLetters, 'dead letter')]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Each letter with its reason and the commands that answer it. */
export function formatDeadLetters(deadLetters: readonly DeadLetterRow[], style: Style, columns: number): string[] {
  if (deadLetters.length === 0) return ['There are no dead letters.'];
  const blocks = deadLetters.flatMap(({ message: letter, actor, type, from, at, attempts, reason, text }, index) => [
    ...(index === 0 ? [] : ['']),
    ...hanging('', `${letter}  ${type} from ${senderText(from)} to ${actor}, given up ${at}`, columns),
    ...wrap(firstLine(text), columns - 4).map((line) => `    ${line}`),
    ...hanging(`  ${style.bad('✗')} `, whyDead(reason, attempts), columns),
  ]);
  return [...blocks, '', 'Answer each with `ravel dead-letters redeliver ID` or `ravel dead-letters discard ID`.'];
}

/** A reason that begins with the tries says itself how many there were. */
function whyDead(reason: string, attempts: number): string {
  const said = firstLine(reason);
  if (said.startsWith('It was tried')) return said;
  return `after ${attempts === 1 ? 'one try' : `${attempts} tries`}: ${said}`;
}

/** A text that must be read to its end, its later lines below the beginning of the first. */
function hanging(sign: string, text: string, columns: number): string[] {
  return wrap(text, columns - 4).map((line, at) => `${at === 0 ? sign : '    '}${line}`);
}

function helpOf({ help }: { readonly help?: string }, columns: number): string[] {
  return help === undefined ? [] : wrap(help, columns - 4).map((line) => `    ${line}`);
}
