import * as z from 'zod';
import { defined } from '../base/defined.ts';
import { isYamlKind, planDocuments, vaultDocuments, type YamlKind } from './document.ts';
import { documentSchemas } from './documentSchemas.ts';
import { keyMeanings } from './keyMeanings.ts';

/** The part of JSON Schema that our own schemas come to. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly JsonSchema[];
}

/** The schema of a kind of document for any editor, with the meaning of each key. */
export function jsonSchemaOf(kind: YamlKind): JsonSchema {
  const schema = z.toJSONSchema(documentSchemas[kind], { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return described(schema, keyMeanings[kind], '');
}

/** The schemas of all files that are YAML as a whole, by their names without the ending. */
export function jsonSchemas(): Readonly<Record<string, JsonSchema>> {
  const files = [...planDocuments, ...vaultDocuments].filter(([name]) => name.endsWith('.yaml'));
  return Object.fromEntries(
    files.flatMap(([name, kind]) => (isYamlKind(kind) ? [[basename(name), jsonSchemaOf(kind)]] : [])),
  );
}

/** Paths of all keys of a schema, as `keyMeanings` writes them. */
export function keyPaths(schema: JsonSchema, above = ''): string[] {
  const paths: string[] = [];
  for (const one of [schema, ...(schema.anyOf ?? [])]) {
    for (const [key, value] of Object.entries(one.properties ?? {})) {
      paths.push(join(above, key), ...keyPaths(value, join(above, key)));
    }
    if (one.items !== undefined) paths.push(...keyPaths(one.items, join(above, '*')));
  }
  return [...new Set(paths)];
}

/** The schema at a path; undefined if nothing is known of it. */
export function schemaAt(schema: JsonSchema | undefined, path: readonly string[]): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  for (const one of [schema, ...(schema.anyOf ?? [])]) {
    const next = step === '*' ? one.items : one.properties?.[step];
    const found = schemaAt(next, rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a schema lets stand there, if that is a closed set of words. */
export function allowedWords(schema: JsonSchema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const own = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const words = schema.type === 'boolean' ? ['true', 'false'] : own.map(String);
  return [...words, ...(schema.anyOf ?? []).flatMap(allowedWords)];
}

function basename(name: string): string {
  return name.slice(0, -'.yaml'.length);
}

function described(schema: JsonSchema, meanings: Readonly<Record<string, string>>, path: string): JsonSchema {
  const meaning = meanings[path];
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...defined({ description: meaning }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, described(value, meanings, join(path, key))]),
      ),
    }),
    ...(items !== undefined && { items: described(items, meanings, join(path, '*')) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((one) => described(one, meanings, path)) }),
  };
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
