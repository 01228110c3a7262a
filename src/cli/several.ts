import { Option } from 'commander';

/** An option that can be given several times. */
export function several(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, before: readonly string[] = []) => [
    ...before,
    value,
  ]);
}
