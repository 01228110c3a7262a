import { t } from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';

/** Where the editor keeps secrets: never in a file of ours, and the same for all windows of a person. */
export interface SecretStore {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, secret: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  onDidChange(listener: (change: { readonly key: string }) => void): Disposable;
}

const secretName = 'ravel.anthropicApiKey';

/** The key's way to a session: the environment, of which each program gets what it may have. */
const variable = 'ANTHROPIC_API_KEY';

/**
 * The person's key for Claude Code. It is put into the environment of this window's core, of which only the harness
 * inherits it: it never stands in an argument, a file, a log or a transcript.
 */
export class ApiKey implements Disposable {
  readonly #secrets: SecretStore;
  readonly #environment: Record<string, string | undefined>;
  /** What the environment said by itself. */
  readonly #before: string | undefined;
  readonly #subscription: Disposable;

  constructor(
    secrets: SecretStore,
    environment: Record<string, string | undefined>,
    onError: (error: unknown) => void,
  ) {
    this.#secrets = secrets;
    this.#environment = environment;
    this.#before = environment[variable];
    // Another window of the same person may change it too.
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key === secretName) this.load().catch(onError);
    });
  }

  /** Sessions that start from here on have the key as it is now. */
  async load(): Promise<void> {
    this.#environment[variable] = (await this.#secrets.get(secretName)) ?? this.#before;
  }

  /** Keeps a key, or forgets it. */
  async keep(key: string | undefined): Promise<void> {
    if (key === undefined) await this.#secrets.delete(secretName);
    else await this.#secrets.store(secretName, key);
    await this.load();
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** What is wrong with a key as it is typed; nothing of it is repeated. */
export function apiKeyProblem(text: string): string | undefined {
  const key = text.trim();
  if (key === '') return t('Paste the key.');
  if (/[^\x21-\x7e]/.test(key)) return t('A key contains only ASCII characters, without spaces.');
  return key.length < 8 ? t('This key is too short.') : undefined;
}
