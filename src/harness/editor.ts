import { spawn } from 'node:child_process';
import { failure } from '../model/codes.ts';

export interface EditorJob {
  /** Absolute paths, opened together. */
  readonly files: readonly string[];
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens files in the person's own editor, on this very terminal, and resolves with its exit code once it was closed. The
 * setting may carry arguments (`code --wait`), so a shell reads it, as git does. Throws `cli/noEditor` where no editor is
 * named, and where it cannot be started.
 */
export function runEditor({ files, workingDirectory, environment }: EditorJob): Promise<number> {
  const editor = namedEditor(environment);
  const isWindows = process.platform === 'win32';
  const [program, args] = isWindows
    ? [editor, files.map((file) => `"${file}"`)]
    : ['/bin/sh', ['-c', `${editor} "$@"`, editor, ...files]];
  const child = spawn(program, args, { cwd: workingDirectory, env: environment, stdio: 'inherit', shell: isWindows });
  return new Promise((closed, failed) => {
    child.once('error', (cause) => failed(failure('cli/noEditor', editor, `"${editor}" cannot be started`, { cause })));
    child.once('close', (code, signal) => {
      if (code === shellNotFound) failed(failure('cli/noEditor', editor, `the shell does not find "${editor}"`));
      else closed(code ?? (signal === null ? 0 : 1));
    });
  });
}

/** What a shell ends with when there is no such program. */
const shellNotFound = 127;

function namedEditor({ VISUAL, EDITOR }: Readonly<Record<string, string | undefined>>): string {
  const named = [VISUAL, EDITOR].find((text) => text !== undefined && text.trim() !== '');
  if (named !== undefined) return named;
  throw failure('cli/noEditor', 'EDITOR', 'neither VISUAL nor EDITOR names an editor');
}
