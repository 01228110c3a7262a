import { t } from '@vscode/l10n';
import { defined } from '../../src/base/defined.ts';
import type { PolicyLayer, PolicySource } from '../../src/model/policy.ts';
import type { FilePlace } from '../../src/model/webview.ts';

const places: Readonly<Record<PolicyLayer, Omit<FilePlace, 'line'>>> = {
  vault: { root: 'vault', path: 'policy.yaml' },
  project: { root: 'project', path: 'ravel/policy.yaml' },
  plan: { root: 'plan', path: 'plan-state.md' },
};

/** Where a rule stands, in words that the editor can open it by. */
export function placeOfRule({ layer, line }: Pick<PolicySource, 'layer' | 'line'>): FilePlace {
  return { ...places[layer], ...defined({ line }) };
}

/** What a rule says, and where it stands or stood when it decided. */
export function ruleFacts({ id, action, text, layer, file, line }: PolicySource): readonly string[] {
  const layers = { vault: t('the vault'), project: t('the project'), plan: t('the plan') };
  return [
    id === undefined ? t`Rule: ${action} ${text}` : t`Rule ${id}: ${action} ${text}`,
    t`In the policy of ${layers[layer]}: ${line === undefined ? file : `${file}:${line}`}`,
  ];
}
