import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { readTextIfExists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import type { SecretPlace, SecretSource } from '../model/secretState.ts';
import { userConfigPath } from './discovery.ts';
import { parseToml } from './toml.ts';

/** More would start as many programs at once. */
const secretsMax = 500;

const program = z
  .string()
  .min(1)
  .refine((text) => !text.includes('\0') && (!text.includes('/') || text.startsWith('/')));

const sourceSchema = z.union([
  z.strictObject({ environment: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
  z.strictObject({
    command: z.tuple(
      [program],
      z.string().refine((text) => !text.includes('\0')),
    ),
  }),
]);

/**
 * The table `[secrets]` of the person's own configuration (docs/settings.md); a vault cannot have it, since what comes from
 * others must not choose a program that runs here. Throws `secrets/badSettings`, which repeats no value.
 */
export async function loadSecretSources(
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly SecretSource[]> {
  const file = userConfigPath(environment);
  const text = file === undefined ? undefined : await readTextIfExists(disk, file);
  if (file === undefined || text === undefined) return [];
  const { secrets } = parseToml(text, { file, subject: file, code: 'secrets/badSettings' });
  if (secrets === undefined) return [];
  const bad = (problem: string) => failure('secrets/badSettings', file, `${file} ${problem}.`, { file });
  const table = z.record(z.string(), z.unknown()).safeParse(secrets);
  if (!table.success) throw bad('has a [secrets] that is not a table');
  const rows = Object.entries(table.data);
  if (rows.length > secretsMax) throw bad(`names ${rows.length} secrets; at most ${secretsMax} are read`);
  return rows.map(([name, value]) => {
    if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name)) {
      throw bad(`has a bad name in [secrets]: ${JSON.stringify(name.slice(0, 80))}`);
    }
    const parsed = sourceSchema.safeParse(value);
    if (!parsed.success) {
      throw bad(
        `says nothing useful for "${name}" in [secrets]; it takes environment = "VARIABLE" or command = ["PROGRAM", "ARGUMENT"], the program by its name on PATH or its absolute path`,
      );
    }
    return { name, place: toPlace(parsed.data) };
  });
}

function toPlace(source: z.infer<typeof sourceSchema>): SecretPlace {
  if ('environment' in source) return { kind: 'environment', variable: source.environment };
  const [first, ...args] = source.command;
  return { kind: 'command', program: first, args };
}
