import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import type { Diagnostic } from '../base/errors.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Notice } from './nextSteps.ts';
import { plainNotice } from './sanitizeLabel.ts';

/** What is said of an edited `daemon.toml` that does not hold, and how it is fix; undefined for every other event. */
export function settingsNotice(event: RavelEvent): Notice | undefined {
  if (event.type !== 'diagnostic') return undefined;
  const { code, message, file, range } = event.diagnostic;
  if (file === undefined || basename(file) !== 'daemon.toml') return undefined;
  if (code === 'vault/settingsWait') {
    const open = { title: t('Open daemon.toml'), command: 'ravel.openVaultSettings' };
    const restart = { title: t('Restart Owner'), command: 'ravel.restartOwner' };
    return { tone: 'info', message: plainNotice(message), actions: [restart, open] };
  }
  if (code !== 'vault/badSettings') return undefined;
  return {
    tone: 'warn',
    message: plainNotice(t`${unreadable(message, file, range)} The last values that could be read stay in force.`),
    actions: [{ title: t('Open at Line'), command: 'ravel.openVaultSettings', arguments: [range?.start.line ?? 0] }],
  };
}

/** The file by its name; a long path would hide what is wrong with it. */
function unreadable(message: string, file: string, range: Diagnostic['range']): string {
  const short = message.replaceAll(file, 'daemon.toml');
  return range === undefined || /\bline \d/.test(short) ? short : t`Line ${range.start.line + 1}: ${short}`;
}
