import { dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { readTextIfExists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { isSecretName, type SecretPlace, type SecretSource } from '../model/secretState.ts';
import { homeOf, userConfigPath } from './discovery.ts';
import { parseToml } from './toml.ts';

/** More would start as many programs at once. */
const secretsMax = 500;

const program = z
  .string()
  .min(1)
  .refine((text) => !text.includes('\0') && (!text.includes('/') || text.startsWith('/')));

const pathText = z
  .string()
  .min(1)
  .refine((text) => !text.includes('\0') && (text.startsWith('/') || text.startsWith('~/') || isAbsolute(text)));

const sourceSchema = z.union([
  z.strictObject({ environment: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
  z.strictObject({
    command: z.tuple(
      [program],
      z.string().refine((text) => !text.includes('\0')),
    ),
  }),
  z.strictObject({ age: pathText, identity: pathText.optional() }),
  z.strictObject({ keychain: z.literal(true) }),
  z.strictObject({ editor: z.literal(true) }),
]);

const forms =
  'environment = "VARIABLE", command = ["PROGRAM", "ARGUMENT"] with the program by its name on PATH or its absolute path, age = "/PATH/OF/FILE", keychain = true or editor = true';

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
    if (!isSecretName(name)) {
      throw bad(`has a bad name in [secrets]: ${JSON.stringify(name.slice(0, 80))}`);
    }
    const parsed = sourceSchema.safeParse(value);
    if (!parsed.success) {
      throw bad(`says nothing useful for "${name}" in [secrets]; it takes ${forms}`);
    }
    return { name, place: toPlace(parsed.data, { file, environment }) };
  });
}

interface Where {
  /** Of the configuration. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function toPlace(source: z.infer<typeof sourceSchema>, where: Where): SecretPlace {
  if ('environment' in source) return { kind: 'environment', variable: source.environment };
  if ('keychain' in source) return { kind: 'keychain' };
  if ('editor' in source) return { kind: 'editor' };
  if ('age' in source) {
    const { age, identity } = source;
    const file = fromHome(age, where);
    return {
      kind: 'age',
      file,
      identity: identity === undefined ? usualIdentity(where.file) : fromHome(identity, where),
    };
  }
  const [first, ...args] = source.command;
  return { kind: 'command', program: first, args };
}

function fromHome(path: string, { environment }: Where): string {
  const home = homeOf(environment);
  return path.startsWith('~/') && home !== undefined ? join(home, path.slice(2)) : path;
}

/** The identity of age files that name none, beside the configuration. */
function usualIdentity(config: string): string {
  return join(dirname(config), 'age-identity.txt');
}

/** Where `ravel secrets set` keeps a secret in an age file. */
export function usualAgePlace(config: string, name: string): Extract<SecretPlace, { kind: 'age' }> {
  return { kind: 'age', file: join(dirname(config), 'secrets', `${name}.age`), identity: usualIdentity(config) };
}
