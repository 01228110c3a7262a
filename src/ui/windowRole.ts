import { t } from '@vscode/l10n';
import { failure } from '../model/codes.ts';
import type { Api } from '../model/protocol.ts';
import { isReadOnly } from '../model/requestKinds.ts';

/** Who may own the vault, as the setting `ravel.daemon` says it: this window, or only a daemon that a person starts. */
export const daemonSettings = ['inWindow', 'external'] as const;
export type DaemonSetting = (typeof daemonSettings)[number];

export interface WindowFacts {
  readonly isTrusted: boolean;
  readonly daemon: DaemonSetting;
  /** False for a window that was asked to release the vault. */
  readonly mayOwn: boolean;
}

/** As what this window opens a vault. In a window that is not trusted it neither owns nor talks to who does. */
export function openModeOf({ isTrusted, daemon, mayOwn }: WindowFacts): 'owner' | 'client' | 'reader' {
  if (!isTrusted) return 'reader';
  return daemon === 'external' || !mayOwn ? 'client' : 'owner';
}

/** The same Api, of which only what looks is answered; all else is refused with `ui/untrusted`. */
export function readingApi(api: Api): Api {
  return {
    onEvent: (listener) => api.onEvent(listener),
    async request(name, params, signal) {
      if (isReadOnly(name, params)) return api.request(name, params, signal);
      throw failure('ui/untrusted', name, t`“${name}” is not available in Restricted Mode, which only reads a vault.`);
    },
  };
}
