import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import { counted, firstLine } from '../../base/text.ts';
import type { RavelEvent } from '../../model/event.ts';
import type { QualifiedId } from '../../model/id.ts';
import {
  countsOf,
  isBurst,
  type NotificationKind,
  notificationOf,
  type PersonNotification,
  worthTelling,
} from '../../model/notification.ts';
import { withoutPlan } from '../../model/questionText.ts';
import type { NextAction, Notice } from '../nextSteps.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import { planName } from '../trees/planRows.ts';

/** The settings that turn notifications off, without `ravel.notifications.`. */
export const newsSettings = ['questions', 'failures', 'runs', 'budgets'] as const;
export type NewsSetting = (typeof newsSettings)[number];

/** What the notifications of each setting are about. */
const settingNames: Readonly<Record<NewsSetting, string>> = {
  questions: t('questions'),
  failures: t('failures'),
  runs: t('ended runs'),
  budgets: t('budgets'),
};

const settingOfKind: Readonly<Record<NotificationKind, NewsSetting>> = {
  question: 'questions',
  'phase-failed': 'failures',
  'plan-faulted': 'failures',
  'run-ended': 'runs',
  budget: 'budgets',
};

/** A notification as a window shows it. */
export interface WindowNotice extends PersonNotification {
  readonly kind: NotificationKind;
  readonly notice: Notice;
}

export function settingOf({ kind }: Pick<WindowNotice, 'kind'>): NewsSetting {
  return settingOfKind[kind];
}

/** What an event tells a person in a window; undefined for most. */
export function windowNoticeOf(event: RavelEvent): WindowNotice | undefined {
  const news = notificationOf(event);
  const words = wordsOf(event);
  if (news === undefined || words === undefined) return undefined;
  const kind = news.kind as NotificationKind;
  const { tone, message, actions } = words;
  return { ...news, kind, notice: { tone, message, actions: [...actions, muteAction(settingOfKind[kind])] } };
}

/** What is shown of several at once: each with its buttons, or of a burst its number. */
export function noticesOf(news: readonly WindowNotice[], dropped: number): readonly Notice[] {
  const told = worthTelling(news);
  if (!isBurst(told)) return told.map(({ notice }) => notice);
  const counts = countsOf(told).map(([kind, count]) => countText(kind, count));
  const settings = new Set(told.map(settingOf));
  const [only] = settings.size === 1 ? settings : [];
  const message = t`${told.length + dropped} things happened: ${counts.join(', ')}.`;
  const turnOff = only === undefined ? openSettings : muteAction(only);
  return [{ tone: 'info', message, actions: [showInbox, turnOff] }];
}

/** What is said once a kind of notification is turned off. */
export function mutedText(setting: NewsSetting): string {
  return t`Notifications about ${settingNames[setting]} are off now. To turn them on again, use the setting “ravel.notifications.${setting}”.`;
}

export function isNewsSetting(value: unknown): value is NewsSetting {
  return newsSettings.some((name) => name === value);
}

export const openSettings: NextAction = {
  title: t('Notification Settings'),
  command: 'workbench.action.openSettings',
  arguments: ['ravel.notifications'],
};

const showInbox: NextAction = { title: t('Show Inbox'), command: 'ravel.inbox.focus' };

function muteAction(setting: NewsSetting): NextAction {
  return { title: t("Don't Show Again"), command: 'ravel.muteNotifications', arguments: [setting] };
}

/** Texts of others are one line each. */
function wordsOf(event: RavelEvent): Notice | undefined {
  const { actor } = event;
  const plan = actor as QualifiedId;
  const name = planName(plan);
  const line = (text: string) => sanitizeLabel(firstLine(text), 300);
  const openPlan = { title: t('Open Plan'), command: 'ravel.openPlan', arguments: [actor] };
  switch (event.type) {
    case 'approval.opened': {
      const subject = line(withoutPlan(event.subject, actor));
      return {
        tone: 'info',
        message: actor === 'vault' ? t`A question for you: ${subject}` : t`${name} has a question for you: ${subject}`,
        actions: [{ title: t('Answer'), command: 'ravel.openApproval', arguments: [event.approval] }],
      };
    }
    case 'phase.ended': {
      const { session } = event;
      const openSession = { title: t('Open Session'), command: 'ravel.openSession', arguments: [session, actor] };
      const retry = { title: t('Retry'), command: 'ravel.retryPhase', arguments: [actor] };
      const message = `${name}: ${event.phase} ${event.end}. ${line(event.summary)}`;
      return { tone: 'warn', message, actions: [session === undefined ? openPlan : openSession, retry] };
    }
    case 'run.ended':
      return { tone: 'info', message: t`${name}: the run has ended: ${line(event.reason)}.`, actions: [openPlan] };
    case 'actor.changed':
      return {
        tone: 'warn',
        message: t`${name} takes in no messages any more: ${line(event.reason ?? '')}`,
        actions: [showInbox],
      };
    case 'budget.reached':
      return {
        tone: 'info',
        message: t`${line(event.scope)} has used up today's budget. No session starts until ${localTime(event.until)}.`,
        actions: [{ title: t('Open daemon.toml'), command: 'ravel.openVaultSettings' }],
      };
    default:
      return undefined;
  }
}

function countText(kind: NotificationKind, count: number): string {
  switch (kind) {
    case 'question':
      return counted(count, t('{0} question for you'), t('{0} questions for you'));
    case 'phase-failed':
      return counted(count, t('{0} phase not finished'), t('{0} phases not finished'));
    case 'run-ended':
      return counted(count, t('{0} run ended'), t('{0} runs ended'));
    case 'plan-faulted':
      return counted(count, t('{0} plan or expert faulted'), t('{0} plans and experts faulted'));
    case 'budget':
      return counted(count, t('{0} budget used up'), t('{0} budgets used up'));
  }
}
