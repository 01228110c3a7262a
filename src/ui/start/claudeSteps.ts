import { t } from '@vscode/l10n';
import { shellWord } from '../../base/text.ts';
import { claudeInstallation } from '../../model/claudeInstallation.ts';
import type { HarnessState, InspectedHarness } from '../../model/requests/doctor.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

/** What a person can do next about Claude Code. */
export type ClaudeAction =
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'page'; readonly address: string }
  | { readonly kind: 'chooseFile' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'key' }
  | { readonly kind: 'again' };

/** How Claude Code stands, and the buttons that lead on; the first is the usual one. */
export interface ClaudeSetupStep {
  readonly isReady: boolean;
  readonly message: string;
  readonly buttons: readonly { readonly title: string; readonly action: ClaudeAction }[];
}

/** How Claude Code is installed. */
export const setUpPage = 'https://docs.anthropic.com/en/docs/claude-code/setup';

const again = { title: t('Check Again'), action: { kind: 'again' } } as const;
const chooseFile = { title: t('Choose Program…'), action: { kind: 'chooseFile' } } as const;
const read = { title: t('How to Set It Up'), action: { kind: 'page', address: setUpPage } } as const;

function type(title: string, text: string) {
  return { title, action: { kind: 'type', text } } as const;
}

/** From what was found to what to do: one row for each state there is. */
const steps: Readonly<Record<HarnessState, (harness: InspectedHarness) => Omit<ClaudeSetupStep, 'isReady'>>> = {
  ready: (harness) => ({
    message: [
      t`Claude Code ${harness.version ?? ''} is ready, as ${harness.program ?? 'a program'}.`,
      loginWords(harness),
      defaultWords(harness),
    ]
      .filter((part) => part !== '')
      .join(' '),
    buttons: harness.isDefault ? [] : [{ title: t('Open Vault Settings'), action: { kind: 'settings' } }],
  }),
  missing: (harness) => ({
    message: t`${harness.message} Install it, or choose its program file if it is already installed.`,
    buttons: [type(t('Install in Terminal'), claudeInstallation), chooseFile, read],
  }),
  notExecutable: (harness) => ({
    message: t`${harness.message} Make the file executable if it is the right one, or choose another.`,
    buttons: [type(t('Make Executable'), chmodOf(harness)), chooseFile, again],
  }),
  notStarted: (harness) => ({
    message: harness.message,
    buttons: [type(t('Start in Terminal'), `${shellWord(harness.program ?? 'claude')} --version`), chooseFile, again],
  }),
  silent: (harness) => ({
    message: t`${harness.message} Start it once in a terminal to see what is missing.`,
    buttons: [type(t('Start in Terminal'), `${shellWord(harness.program ?? 'claude')} --version`), chooseFile, again],
  }),
  tooOld: (harness) => ({
    message: harness.message,
    buttons: [type(t('Update in Terminal'), `${shellWord(harness.program ?? 'claude')} update`), chooseFile, again],
  }),
  noLogin: (harness) => ({
    message: t`Claude Code ${harness.version ?? ''} is installed, but you are not logged in. ${harness.login?.how ?? ''} Start it once and log in.`,
    buttons: [
      type(t('Log In in Terminal'), shellWord(harness.program ?? 'claude')),
      { title: t('Set an API Key…'), action: { kind: 'key' } },
      again,
    ],
  }),
};

export function claudeStep(harness: InspectedHarness): ClaudeSetupStep {
  const { message, buttons } = steps[harness.state](harness);
  // The message can contain output of a program, which is untrusted.
  return { isReady: harness.state === 'ready', message: sanitizeLabel(message, 600).trim(), buttons };
}

function loginWords({ login }: InspectedHarness): string {
  return login === undefined ? '' : login.how;
}

function defaultWords({ isDefault }: InspectedHarness): string {
  return isDefault
    ? t('Phases run with it.')
    : t('This vault runs its phases with another harness: see run.harness in daemon.toml.');
}

function chmodOf({ fix }: InspectedHarness): string {
  return /`([^`]+)`/.exec(fix ?? '')?.[1] ?? 'chmod +x ';
}
