import { t } from '@vscode/l10n';
import type { StartNeeds } from '../../model/startNeeds.ts';
import type { NeedRow } from '../../model/webview.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

/** What a person reads of what was found on their machine. */
export function needRows({ git, claude }: StartNeeds): readonly NeedRow[] {
  const gitRow: NeedRow =
    git === undefined
      ? {
          name: 'git',
          isReady: false,
          text: t('Git is missing. Every change is kept as a commit, so nothing works without it.'),
        }
      : { name: 'git', isReady: true, text: t`Git ${sanitizeLabel(git, 40)} is installed.` };
  const version = sanitizeLabel(claude.version ?? '', 40);
  switch (claude.state) {
    case 'ready':
      return [gitRow, { name: 'claude', isReady: true, text: t`Claude Code ${version} is installed.` }];
    case 'noLogin':
      return [
        gitRow,
        { name: 'claude', isReady: false, text: t`Claude Code ${version} is installed, but you are not logged in.` },
      ];
    case 'missing':
      return [
        gitRow,
        {
          name: 'claude',
          isReady: false,
          text: t('Claude Code was not found. Without it you can run the demo and make a vault.'),
        },
      ];
    default:
      return [gitRow, { name: 'claude', isReady: false, text: sanitizeLabel(claude.message, 300) }];
  }
}
