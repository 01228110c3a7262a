import { resolve } from 'node:path';
import { exists, readText } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import type { Ports } from './ports.ts';

/** The text of the file that an option names; `-` is standard input. */
export async function readGiven(ports: Ports, option: string, file: string): Promise<string> {
  if (file === '-') return ports.stdin.readAll();
  const path = resolve(ports.workingDirectory, file);
  if (await exists(ports.disk, path)) return readText(ports.disk, path);
  throw failure('cli/noFile', option, `There is no file ${path}.`);
}
