import { t } from '@vscode/l10n';
import { messageOf } from '../base/errors.ts';
import { counted, formatDollars } from '../base/text.ts';
import type { DaySum } from '../model/spending.ts';
import { plainMarkdown, sanitizeLabel } from './sanitizeLabel.ts';
import type { LinkState } from './vaultLink.ts';

/** Everything that the one item of the status bar says. */
export interface StatusModel {
  /** Undefined if this window shows no vault. */
  readonly vault?: { readonly name: string; readonly path: string; readonly state: LinkState };
  /** Sessions that run. */
  readonly running: number;
  /** What stands in the inbox. */
  readonly needsYou: number;
  /** What is wrong with a policy that cannot be used, with its place. */
  readonly policyFault?: string;
  /** The vault is that of a demo, whose sessions cost nothing. */
  readonly isDemo?: boolean;
  /** Of today, in US dollars, as far as sessions have ended; undefined until it is known. */
  readonly cost?: Pick<DaySum, 'usd' | 'estimatedUsd' | 'scriptedUsd'>;
}

export interface StatusText {
  readonly text: string;
  /** Markdown. */
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly ariaLabel: string;
  /** `blocked` if nothing goes on until the person acts. */
  readonly severity: 'usual' | 'blocked' | 'failed';
}

/** The item as it stands; undefined hides it. */
export function statusText(model: StatusModel): StatusText | undefined {
  const { vault, running, needsYou } = model;
  if (vault === undefined || vault.state.kind === 'closed') return undefined;
  const name = sanitizeLabel(vault.name, 40);
  const role = roleOf(vault.state);
  if (vault.state.kind === 'failed' || vault.state.kind === 'connecting') {
    const isFailed = vault.state.kind === 'failed';
    return {
      text: isFailed ? t('$(debug-disconnect) Ravel: not connected') : t('$(plug) Ravel: connecting…'),
      tooltip: [`**${plainMarkdown(vault.path)}**`, plainMarkdown(role)].join('\n\n'),
      ariaLabel: t`Ravel, vault ${name}. ${role}`,
      severity: isFailed ? 'failed' : 'usual',
    };
  }
  const figures = [
    ...(model.policyFault === undefined ? [] : [t('policy broken')]),
    ...(model.isDemo === true ? [t('demo')] : []),
    ...(running > 0 ? [t`${running} running`] : []),
    ...(needsYou > 0 ? [counted(needsYou, t('{0} needs you'), t('{0} need you'))] : []),
    ...(vault.state.kind === 'readOnly' ? [t('restricted')] : []),
  ];
  const cost = model.isDemo === true ? demoCost : costOf(model.cost);
  const short = [...figures, ...(cost.isShown ? [cost.short] : [])];
  return {
    text: `${iconOf(model)} Ravel${short.length > 0 ? `: ${short.join(', ')}` : ''}`,
    tooltip: tooltipOf(model, { path: vault.path, role, cost: cost.long }),
    ariaLabel: [t`Ravel, vault ${name}. ${role} ${sentenceOf(running, needsYou)} ${cost.long}`, ...faultOf(model)].join(
      ' ',
    ),
    severity: model.policyFault !== undefined ? 'failed' : needsYou > 0 && running === 0 ? 'blocked' : 'usual',
  };
}

function faultOf({ policyFault }: StatusModel): readonly string[] {
  return policyFault === undefined ? [] : [sanitizeLabel(policyFault, 500)];
}

/** It turns only while something runs. */
function iconOf({ vault, running, needsYou, policyFault }: StatusModel): string {
  if (policyFault !== undefined) return '$(error)';
  if (running > 0) return '$(sync~spin)';
  if (needsYou > 0) return '$(bell-dot)';
  return vault?.state.kind === 'readOnly' ? '$(lock)' : '$(layers)';
}

function roleOf(state: LinkState): string {
  switch (state.kind) {
    case 'owner':
      return t('This window runs the vault.');
    case 'client':
      return state.external
        ? t`A daemon, process ${state.pid}, runs the vault.`
        : t`Another window or program, process ${state.pid}, runs the vault; this window follows it.`;
    case 'readOnly':
      return t('Restricted Mode: you can read the vault, but nothing runs.');
    case 'connecting':
      return t('The vault is being opened.');
    case 'failed':
      return sanitizeLabel(messageOf(state.error), 300);
    case 'closed':
      return t('The vault is closed.');
  }
}

function sentenceOf(running: number, needsYou: number): string {
  const sessions =
    running === 0
      ? t('No sessions are running')
      : counted(running, t('{0} session is running'), t('{0} sessions are running'));
  const you =
    needsYou === 0 ? t('nothing needs you') : counted(needsYou, t('{0} thing needs you'), t('{0} things need you'));
  return t`${sessions}, and ${you}.`;
}

const demoCost = {
  isShown: false,
  short: '',
  long: t('This is the demo: its sessions play prepared answers and cost nothing.'),
};

function costOf(cost: StatusModel['cost']): {
  readonly isShown: boolean;
  readonly short: string;
  readonly long: string;
} {
  if (cost === undefined) return { isShown: false, short: '', long: t('The cost of today is not known yet.') };
  const { estimatedUsd, scriptedUsd } = cost;
  const usd = cost.usd - scriptedUsd;
  const about = estimatedUsd > 0 ? t('about ') : '';
  const source =
    estimatedUsd > 0 ? t`, of which ${formatDollars(estimatedUsd)} is estimated` : t(', as the harness reported it');
  return {
    isShown: usd > 0,
    short: `${about === '' ? '' : '~'}${formatDollars(usd)}`,
    long:
      usd > 0
        ? t`Sessions that ended today cost ${about}${formatDollars(usd)}${source}.`
        : t('Today has cost nothing.'),
  };
}

function tooltipOf(
  model: StatusModel,
  { path, role, cost }: { readonly path: string; readonly role: string; readonly cost: string },
): string {
  const lines = [...faultOf(model), role, sentenceOf(model.running, model.needsYou), cost].map((line) =>
    plainMarkdown(line),
  );
  return [`**${plainMarkdown(path)}**`, ...lines].join('\n\n');
}
