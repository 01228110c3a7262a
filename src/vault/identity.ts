import { basename } from 'node:path';
import { stringify } from 'smol-toml';
import * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { ReadingDisk } from '../base/disk.ts';
import { readTextIfExists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import type { VaultLayout } from './layout.ts';
import { locateKey, parseToml } from './toml.ts';

const vaultSchemaVersion = 1;

/** What `ravel.toml` says about a vault. */
export interface VaultIdentity {
  readonly schemaVersion: number;
  /** The folder's own name if the file gives none. */
  readonly name: string;
  /** ISO 8601. */
  readonly created?: string;
  readonly createdByVersion?: string;
}

const identitySchema = z.object({
  vault: z.object({
    schema_version: z.number().int().positive(),
    name: z.string().min(1).optional(),
    /** TOML has dates of its own; a person may have written one. */
    created: z.union([z.string(), z.date().transform((date) => date.toISOString())]).optional(),
    created_by_version: z.string().optional(),
  }),
});

/**
 * Reads `ravel.toml`; keys that this version does not know are tolerated. Throws `vault/none` (no file),
 * `vault/unreadable` (no TOML, or not this table) or `vault/newerSchema`.
 */
export async function loadIdentity(disk: ReadingDisk, layout: VaultLayout): Promise<VaultIdentity> {
  const file = layout.identity;
  const text = await readTextIfExists(disk, file);
  if (text === undefined) {
    throw failure('vault/none', layout.root, `${layout.root} is not a vault: there is no ravel.toml in it.`);
  }
  return parseIdentity(text, layout);
}

/** As `loadIdentity`, of a text. */
export function parseIdentity(text: string, layout: VaultLayout): VaultIdentity {
  const file = layout.identity;
  const value = parseToml(text, { file, subject: file, code: 'vault/unreadable' });
  const result = identitySchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    const path = (issue?.path ?? []).map(String);
    const range = locateKey(text, path);
    throw failure('vault/unreadable', file, `${file} has a bad value: ${path.join('.')}: ${issue?.message ?? ''}.`, {
      file,
      ...defined({ range }),
    });
  }
  const { schema_version, name, created, created_by_version } = result.data.vault;
  if (schema_version > vaultSchemaVersion) {
    const writer = created_by_version === undefined ? '' : `, made by Ravel ${created_by_version},`;
    throw failure(
      'vault/newerSchema',
      layout.root,
      `The vault ${layout.root}${writer} has schema version ${schema_version}; this Ravel reads up to ${vaultSchemaVersion}.`,
      { file },
    );
  }
  return {
    schemaVersion: schema_version,
    name: name ?? basename(layout.root),
    ...defined({ created, createdByVersion: created_by_version }),
  };
}

/** The text of `ravel.toml` for a new vault. */
export function formatIdentity(identity: { name: string; created: string; version: string }): string {
  const { name, created, version } = identity;
  const vault = { schema_version: vaultSchemaVersion, name, created, created_by_version: version };
  return `${stringify({ vault }).trimEnd()}\n`;
}
