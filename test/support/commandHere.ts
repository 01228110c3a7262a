import { fileURLToPath } from 'node:url';
import { createCorePort, readVersion } from '../../src/access/corePort.ts';
import { silentLogger } from '../../src/base/log.ts';
import { runCommandLine } from '../../src/cli/commandLine.ts';
import { createFakePorts } from '../cli/fakePorts.ts';
import { commandLinePath } from './commandLine.ts';
import type { ProgramOptions, Ran } from './runProgram.ts';

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a command line in this process, from the word after `ravel` on, with a real core on a real vault. A vault is named
 * by `--vault` or by `RAVEL_VAULT`, since the current folder is that of the tests. `runRavel` costs half a second of a
 * processor more, and is for what only a process shows: start and end, signals, streams, and how commands meet.
 */
export async function runHere(
  args: readonly string[],
  { environment = {}, cwd = packageRoot, stdin = '' }: ProgramOptions = {},
): Promise<Ran> {
  const temporaryDirectory = environment['TMPDIR'];
  const own = temporaryDirectory === undefined ? {} : { temporaryDirectory };
  const whole = { PATH: process.env['PATH'] ?? '', ...environment };
  const core = createCorePort({
    ...{ environment: whole, log: silentLogger, entryFile: commandLinePath(), packageRoot },
    ...own,
  });
  const ports = await createFakePorts({}, { environment: whole, stdin, core });
  const version = await readVersion(packageRoot);
  const code = await runCommandLine(args, { ...ports, ...own, packageRoot, version, workingDirectory: cwd });
  return { code, ...ports.written };
}
