import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isYamlKind, planDocuments } from '../../src/model/document.ts';
import { documentSchemas } from '../../src/model/documentSchemas.ts';
import { jsonSchemaOf, jsonSchemas, keyPaths, schemaAt, wordsOf } from '../../src/model/jsonSchemas.ts';
import { keyMeanings } from '../../src/model/keyMeanings.ts';

const kinds = Object.keys(documentSchemas).filter((kind) =>
  isYamlKind(kind as never),
) as (keyof typeof documentSchemas)[];

describe('the schema for editors', () => {
  test.each(kinds)('of %s has a meaning for each key, and none for others', (kind) => {
    const paths = keyPaths(jsonSchemaOf(kind));
    const told = Object.keys(keyMeanings[kind]).filter((path) => !path.endsWith('models.*'));
    expect(told.sort()).toEqual(paths.sort());
  });

  test('holds the meanings where they belong', () => {
    const schema = jsonSchemaOf('backlog');
    expect(schemaAt(schema, ['tasks', '*', 'title'])?.description).toBe('What is to be done, in a few words.');
    expect(schemaAt(schema, ['tasks', '*', 'nothing'])).toBeUndefined();
  });

  test('tells the words that may stand at a key', () => {
    const schema = jsonSchemaOf('routing');
    expect(wordsOf(schemaAt(schema, ['rules', '*', 'on']))).toEqual(['dispatch', 'query']);
    expect(wordsOf(schemaAt(schema, ['rules', '*', 'enabled']))).toEqual(['true', 'false']);
    expect(wordsOf(schemaAt(schema, ['rules', '*', 'id']))).toEqual([]);
  });
});

describe('the manifest', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const named: { readonly fileMatch: readonly string[]; readonly url: string }[] = manifest.contributes.yamlValidation;

  test('offers the schema of each YAML file of a plan, and of no file outside of plans', () => {
    const files = [...planDocuments.keys()].filter((name) => name.endsWith('.yaml'));
    expect(named.map(({ url }) => url)).toEqual(
      files.map((name) => `./dist/schemas/${name.replace('.yaml', '.json')}`),
    );
    expect(named.flatMap(({ fileMatch }) => fileMatch).every((glob) => glob.includes('/project-root/'))).toBe(true);
    expect(Object.keys(jsonSchemas())).toEqual(expect.arrayContaining(['backlog', 'session-log', 'routing']));
  });
});
