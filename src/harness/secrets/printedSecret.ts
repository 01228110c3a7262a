import { readPrinted, runStoreProgram, type StorePorts } from './storeProgram.ts';

export interface SecretCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** What a program prints, without the line end after it; or why there is no value, as the end of a sentence. */
export async function printedSecret(
  command: SecretCommand,
  ports: StorePorts,
): Promise<{ readonly value: string } | { readonly problem: string }> {
  const end = await runStoreProgram(command, ports);
  if ('problem' in end) return { problem: end.problem };
  return end.code === 0 ? readPrinted(end.output) : { problem: `ended with code ${end.code}` };
}
