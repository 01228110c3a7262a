import { spawn } from 'node:child_process';
import { failure } from '../model/codes.ts';

export interface EditorJob {
  /** The command, perhaps with arguments (`code --wait`). */
  readonly editor: string;
  /** Absolute paths, opened together. */
  readonly files: readonly string[];
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens files in the person's own editor, on this very terminal, and resolves with its exit code once it was closed. A
 * shell reads the command, as git has it done. Throws `cli/noEditor` if it cannot be started.
 */
export function runEditor({ editor, files, workingDirectory, environment }: EditorJob): Promise<number> {
  const isWindows = process.platform === 'win32';
  const [program, args] = isWindows
    ? [editor, files.map((file) => `"${file}"`)]
    : ['/bin/sh', ['-c', `${editor} "$@"`, editor, ...files]];
  const child = spawn(program, args, { cwd: workingDirectory, env: environment, stdio: 'inherit', shell: isWindows });
  return new Promise((closed, failed) => {
    child.once('error', (cause) => failed(failure('cli/noEditor', editor, `"${editor}" cannot be started`, { cause })));
    child.once('close', (code) => {
      if (code === shellNotFound) failed(failure('cli/noEditor', editor, `The shell does not find "${editor}".`));
      else closed(code ?? 1);
    });
  });
}

/** What a shell ends with when there is no such program. */
const shellNotFound = 127;
