import { t } from '@vscode/l10n';
import { isRecord, parseJson } from '../base/json.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { isSecretName, type SecretState, secretValueBytesMax } from '../model/secretState.ts';
import type { SecretStore } from './apiKey.ts';

/** All of them are one entry of the storage, since it cannot list its entries. */
const entry = 'ravel.secrets';

/** The secrets that a person keeps in the secret storage of the editor: the same in all of their windows. */
export class EditorSecrets {
  readonly #store: SecretStore;
  /** A change reads all of them and writes all of them. */
  readonly #changes = new SerialQueue();

  constructor(store: SecretStore) {
    this.#store = store;
  }

  /** Values by name; what cannot be understood is left out. */
  async all(): Promise<Readonly<Record<string, string>>> {
    const kept = parseJson((await this.#store.get(entry)) ?? '');
    const pairs = Object.entries(isRecord(kept) ? kept : {});
    return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  }

  /** Keeps a value in the place of any before it, or forgets it. */
  keep(name: string, value: string | undefined): Promise<void> {
    return this.#changes.run(async () => {
      const { [name]: _before, ...others } = await this.all();
      const next = value === undefined ? others : { ...others, [name]: value };
      await this.#store.store(entry, JSON.stringify(next));
    });
  }

  /** Calls back when any window of the person changed them. */
  onDidChange(listener: () => void) {
    return this.#store.onDidChange(({ key }) => {
      if (key === entry) listener();
    });
  }
}

/** What is wrong with a name as it is typed. */
export function secretNameProblem(name: string): string | undefined {
  return isSecretName(name) ? undefined : t('A name is a letter and then letters, digits, _, . or -.');
}

/** What is wrong with a value as it is typed; nothing of it is repeated. */
export function secretValueProblem(value: string): string | undefined {
  if (value.trim() === '') return t('Enter the value.');
  return new TextEncoder().encode(value).length > secretValueBytesMax ? t('This value is too long.') : undefined;
}

/** What became of a secret, without its value. */
export function secretStateText(state: SecretState): string {
  switch (state.state) {
    case 'guarded':
      return t('Its value is looked for.');
    case 'absent':
      return t('It has no value here.');
    case 'unseen':
      return t('Windows of the editor read it.');
    case 'short':
      return t('Its value is too short to be looked for.');
    case 'failed':
      return t`It cannot be read: ${state.problem}`;
  }
}
