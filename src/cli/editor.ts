import { failure } from '../model/codes.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The command of the person's editor; throws `cli/noEditor` if none is named. */
export function namedEditor({ VISUAL, EDITOR }: Environment): string {
  const named = [VISUAL, EDITOR].find((text) => text !== undefined && text.trim() !== '');
  if (named !== undefined) return named;
  throw failure('cli/noEditor', 'EDITOR', 'Neither VISUAL nor EDITOR is set to an editor.');
}
