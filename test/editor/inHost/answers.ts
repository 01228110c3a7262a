import type { QuickPickItem } from 'vscode';
import type { Choice } from '../../../src/ui/choice.ts';
import type { LiveChoices, LiveQuestion } from '../../../src/ui/livePick.ts';
import type { Prompter } from '../../../src/ui/prompter.ts';

/** One answer to the next question of its kind; `undefined` is to turn away. */
export type Answer = (question: Question) => unknown;

export interface Question {
  readonly kind: keyof Prompter;
  /** The message, or the title of what is asked. */
  readonly text: string;
  readonly buttons: readonly string[];
  readonly choices: readonly QuickPickItem[];
  /** What an input box says of a text. */
  readonly problem: (text: string) => string | undefined;
}

/** Takes the place of the person: each question gets the next answer, and one more than there are answers is turned away. */
export function answerWith(
  prompter: Prompter,
  answers: readonly Answer[],
): { readonly asked: Question[]; restore(): void } {
  const before = { ...prompter };
  const asked: Question[] = [];
  const rest = [...answers];
  const ask = async (question: Omit<Question, 'problem'> & Partial<Pick<Question, 'problem'>>) => {
    const whole: Question = { problem: () => undefined, ...question };
    asked.push(whole);
    return rest.shift()?.(whole);
  };
  const message =
    (kind: 'info' | 'warn' | 'error') =>
    (text: string, ...buttons: string[]) =>
      ask({ kind, text, buttons, choices: [] }) as Promise<string | undefined>;
  const substitute: Prompter = {
    info: message('info'),
    warn: message('warn'),
    error: message('error'),
    // What happens by itself answers none of these questions.
    news: async () => undefined,
    confirm: async (text, _detail, button) =>
      (await ask({ kind: 'confirm', text, buttons: [button], choices: [] })) === true,
    async pick<T>(choices: readonly Choice<T>[], options: { readonly title?: string; readonly placeHolder?: string }) {
      const picked = await ask({
        kind: 'pick',
        text: options.placeHolder ?? options.title ?? '',
        buttons: [],
        choices,
      });
      return choices.find(({ label }) => label === picked)?.value;
    },
    /** The answer is what is typed; the first of what is found is taken. */
    async pickLive<T>(question: LiveQuestion<T>) {
      const text = await ask({ kind: 'pickLive', text: question.title, buttons: [question.button], choices: [] });
      if (typeof text !== 'string') return undefined;
      let last: LiveChoices<T> = { choices: [], message: '' };
      await question.find(
        text,
        (found) => {
          last = found;
        },
        new AbortController().signal,
      );
      const [first] = last.choices;
      return first === undefined ? undefined : { value: first.value, text, isButton: false };
    },
    input: ({ title, prompt, validateInput }) =>
      ask({
        kind: 'input',
        text: [title, prompt].filter(Boolean).join(': '),
        buttons: [],
        choices: [],
        problem: (text) => validateInput?.(text) as string | undefined,
      }) as Promise<string | undefined>,
    folder: ({ title = '' }) => ask({ kind: 'folder', text: title, buttons: [], choices: [] }) as Promise<undefined>,
    file: ({ title = '' }) => ask({ kind: 'file', text: title, buttons: [], choices: [] }) as Promise<undefined>,
  };
  Object.assign(prompter, substitute);
  return { asked, restore: () => Object.assign(prompter, before) };
}
