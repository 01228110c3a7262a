import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isYamlKind, planDocuments } from '../../src/model/document.ts';
import { documentSchemas } from '../../src/model/documentSchemas.ts';
import { allowedWords, jsonSchemaOf, jsonSchemas, keyPaths, schemaAt } from '../../src/model/jsonSchemas.ts';
import { keyMeanings } from '../../src/model/keyMeanings.ts';

const kinds = Object.keys(documentSchemas).filter((kind) =>
  isYamlKind(kind as never),
) as (keyof typeof documentSchemas)[];

describe('the JSON schema for editors', () => {
  test.each(kinds)('of %s describes every key it has and no other', (kind) => {
    const paths = keyPaths(jsonSchemaOf(kind));
    const told = Object.keys(keyMeanings[kind]).filter((path) => !path.endsWith('models.*'));
    expect(told.sort()).toEqual(paths.sort());
  });

  test('carries each description at its key', () => {
    const schema = jsonSchemaOf('backlog');
    expect(schemaAt(schema, ['tasks', '*', 'title'])?.description).toBe('The work to do, in a few words.');
    expect(schemaAt(schema, ['tasks', '*', 'nothing'])).toBeUndefined();
  });

  test('lists the words a key accepts', () => {
    const schema = jsonSchemaOf('routing');
    expect(allowedWords(schemaAt(schema, ['rules', '*', 'on']))).toEqual(['dispatch', 'query']);
    expect(allowedWords(schemaAt(schema, ['rules', '*', 'enabled']))).toEqual(['true', 'false']);
    expect(allowedWords(schemaAt(schema, ['rules', '*', 'id']))).toEqual([]);
  });
});

describe('the extension manifest', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const named: { readonly fileMatch: readonly string[]; readonly url: string }[] = manifest.contributes.yamlValidation;

  test('offers a schema for each YAML file of a plan, limited to plan folders', () => {
    const files = [...planDocuments.keys()].filter((name) => name.endsWith('.yaml'));
    expect(named.map(({ url }) => url)).toEqual(
      files.map((name) => `./dist/schemas/${name.replace('.yaml', '.json')}`),
    );
    expect(named.flatMap(({ fileMatch }) => fileMatch).every((glob) => glob.includes('/project-root/'))).toBe(true);
    expect(Object.keys(jsonSchemas())).toEqual(expect.arrayContaining(['backlog', 'session-log', 'routing', 'policy']));
  });
});
