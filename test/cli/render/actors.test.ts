import { expect, test } from 'vitest';
import { describeActor, formatActors, formatDeadLetters } from '../../../src/cli/render/actors.ts';
import { chooseStyle } from '../../../src/cli/render/style.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';

const style = chooseStyle({ isTty: false, colorFlag: false, environment: {} });
const actor = toQualifiedId('demo/project-root');
const active = { actor, state: 'active', queued: 2, deadLetters: 0 } as const;
const fault = diagnostic('mailbox/corrupt', actor, 'Line 3 of demo.jsonl is damaged.', { help: 'Restore the line.' });
const faulted = { actor: toQualifiedId('expert:cats'), state: 'faulted', queued: 0, deadLetters: 1, fault } as const;

test('actors are shown as a table, with faults and reasons to wait below it', () => {
  expect(formatActors([active, faulted], style, 80)).toEqual([
    'ACTOR              STATE    WAITING  DEAD LETTERS',
    'demo/project-root  active   2        0',
    'expert:cats        faulted  0        1',
    '',
    '✗ expert:cats: Line 3 of demo.jsonl is damaged.',
    '    Restore the line.',
    '    ravel revive expert:cats',
  ]);
  const waitsBecause = 'its inbox waits for triage (500 new entries)';
  expect(formatActors([{ ...active, state: 'queued', waitsBecause }, active], style, 80)).toEqual([
    'ACTOR              STATE   WAITING  DEAD LETTERS',
    'demo/project-root  queued  2        0',
    'demo/project-root  active  2        0',
    '',
    '· demo/project-root: its inbox waits for triage (500 new entries)',
  ]);
  expect(formatActors([], style, 80)).toEqual(['All actors are dormant; all mailboxes are empty.']);
});

test('a plan mentions its messages only if some wait or it takes none', () => {
  expect(describeActor({ state: 'dormant', queued: 0, deadLetters: 0 })).toBeUndefined();
  expect(describeActor(active)).toBe('2 messages waiting');
  const waiting = { ...active, waitsBecause: 'its inbox waits for triage (500 new entries)' };
  expect(describeActor({ ...waiting, queued: 4500 })).toBe(
    '4,500 messages waiting, its inbox waits for triage (500 new entries)',
  );
  expect(describeActor({ ...waiting, queued: 0 })).toBeUndefined();
  expect(describeActor(faulted)).toBe('takes no messages, 1 dead letter');
});

test('each dead letter is shown with its beginning, its fault and how to answer it', () => {
  const letter = '01M00000000000000000000000' as Ulid;
  const at = '2026-01-02T03:04:05Z';
  const row = { message: letter, actor, type: 'dispatch', from: 'person', at, attempts: 2, text: 'Greet.\nTwice.' };
  expect(formatDeadLetters([{ ...row, reason: 'it cannot be read' }], style, 80)).toEqual([
    `${letter}  dispatch from a person to demo/project-root,`,
    `    given up ${at}`,
    '    Greet. …',
    '  ✗ after 2 tries: it cannot be read',
    '',
    'Answer each with `ravel dead-letters redeliver ID` or `ravel dead-letters discard ID`.',
  ]);
  const long =
    'It was tried twice: backlog.yaml cannot be edited in place. It holds a carriage return that is not a line end.';
  expect(formatDeadLetters([{ ...row, reason: long }], style, 80).slice(3, 5)).toEqual([
    '  ✗ It was tried twice: backlog.yaml cannot be edited in place. It holds a',
    '    carriage return that is not a line end.',
  ]);
  expect(formatDeadLetters([], style, 80)).toEqual(['There are no dead letters.']);
});
