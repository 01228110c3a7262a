import { spawn } from 'node:child_process';

export interface PagerJob {
  /** The command, perhaps with arguments (`less -R`). */
  readonly pager: string;
  readonly text: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Shows a text in a pager on this very terminal, and resolves once it was left; true if it was shown. A shell reads the
 * command, as git has it done. False if there is no such program, so that the caller can write the text itself.
 */
export function runPager({ pager, text, environment }: PagerJob): Promise<boolean> {
  const isWindows = process.platform === 'win32';
  const [program, args] = isWindows ? [pager, []] : ['/bin/sh', ['-c', pager]];
  // As git has it: what fits on a screen is printed, colours stay colours, and the screen is left as it is.
  const env = { LESS: 'FRX', ...environment };
  const child = spawn(program, args, { env, stdio: ['pipe', 'inherit', 'inherit'], shell: isWindows });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code !== shellNotFound));
    // A pager that is left before the end takes no more of the text.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
  });
}

/** What a shell ends with when there is no such program. */
const shellNotFound = 127;
