import * as z from 'zod';
import { firstLine, plural, shellWord } from '../base/text.ts';
import type { RavelEvent } from './event.ts';

/** What a person can be told outside of Ravel's own windows. */
export const notificationKinds = ['question', 'phase-failed', 'run-ended', 'plan-faulted', 'budget'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What a notification says; texts of others are bounded and masked when it is sent. */
export interface PersonNotification {
  /** What it is about: the same thing is told once. */
  readonly key: string;
  readonly kind: NotificationKind | 'summary' | 'test';
  readonly title: string;
  readonly text: string;
  readonly plan?: string | undefined;
  /** Of the question or the session. */
  readonly id?: string | undefined;
  /** The command that shows or answers it. */
  readonly command: string;
}

const timeOfDay = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/**
 * The table `[notify]` of a person's own configuration (docs/settings.md). A vault cannot have it: what comes from others
 * must not choose a program that runs here.
 */
export const notifySettingsSchema = z.strictObject({
  /** A name on PATH or an absolute path, or a list with its arguments; empty for none. */
  command: z.union([z.string(), z.array(z.string()).min(1)]).default(''),
  desktop: z.boolean().default(false),
  kinds: z.array(z.enum(notificationKinds)).default([...notificationKinds]),
  /** Local time of day, such as `22:00-07:00`; empty for none. */
  'quiet-hours': z.union([z.literal(''), z.string().regex(timeOfDay)]).default(''),
});

export type NotifySettings = z.infer<typeof notifySettingsSchema>;

/** What an event tells a person; undefined for most. */
export function notificationOf(event: RavelEvent): PersonNotification | undefined {
  const { actor } = event;
  const plan = shellWord(actor);
  switch (event.type) {
    case 'approval.opened':
      return questionNotification({ approval: event.approval, actor, subject: event.subject });
    case 'phase.ended':
      if (event.end !== 'failed' && event.end !== 'interrupted') return undefined;
      return {
        ...{ key: `phase-failed:${event.session ?? event.at}`, kind: 'phase-failed', plan: actor },
        ...(event.session === undefined ? {} : { id: event.session }),
        ...{ title: `${event.phase} of ${actor} ${event.end === 'failed' ? 'failed' : 'was interrupted'}` },
        ...{ text: firstLine(event.summary), command: `ravel retry ${plan}` },
      };
    case 'run.ended':
      return {
        ...{ key: `run-ended:${short(actor)}:${event.at}`, kind: 'run-ended', plan: actor },
        ...{ title: `The run of ${actor} has ended`, text: firstLine(event.reason), command: `ravel status ${plan}` },
      };
    case 'actor.changed':
      if (event.state !== 'faulted') return undefined;
      return {
        ...{ key: `${faultOf(actor)}${short(event.reason ?? '')}`, kind: 'plan-faulted', plan: actor },
        ...{ title: `${actor} is faulted`, text: firstLine(event.reason ?? ''), command: `ravel status ${plan}` },
      };
    case 'budget.reached':
      return {
        ...{ key: `budget:${short(event.scope)}:${event.until}`, kind: 'budget' },
        ...{ title: `${event.scope} has used up today's budget` },
        ...{ text: `No session starts until ${event.until}.`, command: 'ravel spending' },
      };
    default:
      return undefined;
  }
}

/** That a question waits, also one that was opened before this owner. */
export function questionNotification(question: {
  readonly approval: string;
  readonly actor: string;
  readonly subject: string;
}): PersonNotification {
  const { approval, actor, subject } = question;
  return {
    ...{ key: questionKey(approval), kind: 'question', id: approval },
    ...(actor === 'vault' ? {} : { plan: actor }),
    title: actor === 'vault' ? 'The vault has a question for you' : `${actor} has a question for you`,
    ...{ text: firstLine(subject), command: `ravel approvals show ${approval}` },
  };
}

export function questionKey(approval: string): string {
  return `question:${approval}`;
}

/** The beginning of the keys of an actor's faults, which may be told again once it was revived. */
export function faultOf(actor: string): string {
  return `plan-faulted:${short(actor)}:`;
}

/**
 * A part of a key: a long text would make a key that no owner takes, and a large file of them. In its place is its length
 * with its hash (FNV-1a, 32 bits).
 */
function short(text: string): string {
  if (text.length <= 100) return text;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return `${text.length}.${hash.toString(36)}`;
}

/** Keys that are remembered of questions, and of all else. */
const rememberedMax = 2000;

/** The newest of the keys, in their order. A question can be open for long, so no other key displaces that of one. */
export function newestKeys(keys: readonly string[]): readonly string[] {
  const isQuestion = (key: string) => key.startsWith(questionKey(''));
  const questions = keys.filter(isQuestion).length;
  let [questionsTooMany, othersTooMany] = [questions - rememberedMax, keys.length - questions - rememberedMax];
  return keys.filter((key) => (isQuestion(key) ? questionsTooMany-- : othersTooMany--) <= 0);
}

/**
 * What is told of several at once. That a run ended goes without saying if something else of its plan is told; more than
 * three become one. `dropped` more came than could be kept.
 */
export function gathered(notifications: readonly PersonNotification[], dropped = 0): readonly PersonNotification[] {
  const told = worthTelling(notifications);
  if (!isBurst(told)) return told;
  const counts = countsOf(told).map(([kind, count]) => countOf(kind, count));
  const more = dropped === 0 ? [] : [`${dropped} earlier ones`];
  return [
    {
      ...{ key: told[0]?.key ?? '', kind: 'summary' },
      ...{
        title: `${told.length + dropped} things happened in Ravel`,
        text: [...counts, ...more].join(', '),
        command: 'ravel',
      },
    },
  ];
}

/** Without what goes without saying. */
export function worthTelling<News extends Pick<PersonNotification, 'kind' | 'plan'>>(
  news: readonly News[],
): readonly News[] {
  const others = new Set(news.filter(({ kind }) => kind !== 'run-ended').map(({ plan }) => plan));
  return news.filter(({ kind, plan }) => kind !== 'run-ended' || !others.has(plan));
}

/** Whether there is too much to tell one by one, so that only the counts are told. */
export function isBurst(told: readonly unknown[]): boolean {
  return told.length > 3;
}

/** How many there are of each kind of which there are some. */
export function countsOf(
  told: readonly Pick<PersonNotification, 'kind'>[],
): readonly (readonly [NotificationKind, number])[] {
  return notificationKinds.flatMap((kind) => {
    const count = told.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [[kind, count] as const];
  });
}

function countOf(kind: NotificationKind, count: number): string {
  switch (kind) {
    case 'question':
      return `${plural(count, 'question')} for you`;
    case 'phase-failed':
      return `${plural(count, 'phase')} not finished`;
    case 'run-ended':
      return `${plural(count, 'run')} ended`;
    case 'plan-faulted':
      return `${plural(count, 'plan')} faulted`;
    case 'budget':
      return `${plural(count, 'budget')} used up`;
  }
}

/**
 * Whether a moment is in the quiet hours, by the clock on the wall there: they can run over midnight, and are as long as
 * that clock says in the nights in which it is set forward or back.
 */
export function isQuiet(hours: NotifySettings['quiet-hours'], wallMs: number): boolean {
  const [, ...parts] = timeOfDay.exec(hours) ?? [];
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts.map(Number);
  const from = fromHour * 60 + fromMinute;
  const to = toHour * 60 + toMinute;
  const date = new Date(wallMs);
  const now = date.getHours() * 60 + date.getMinutes();
  return from <= to ? now >= from && now < to : now >= from || now < to;
}
