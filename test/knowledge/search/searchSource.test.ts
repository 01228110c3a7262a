import { expect, test } from 'vitest';
import {
  decisionSource,
  noteSource,
  planSource,
  type SearchSource,
  sourceOfKey,
} from '../../../src/knowledge/search/searchSource.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';

const layout = new VaultLayout('/vault');

test.each<SearchSource>([
  planSource(layout, 'memory', toQualifiedId('shop/project-root'), 'memory.yaml'),
  noteSource(layout, '', 'deep/"quoted"\tname.md'),
  noteSource(layout, 'shop', 'a..b.md'),
  decisionSource(layout, '', 'one.yaml'),
  decisionSource(layout, '2026-01', 'one.yaml'),
])('the key $key leads to its file', (source) => {
  expect(sourceOfKey(layout, source.key)).toEqual(source);
});

test.each([
  'knowledge\t\t"../../../etc/hosts"',
  'knowledge\t../..\t"note.md"',
  'decisions\t../..\t"one.yaml"',
  'memory\tshop/project-root\t"../../memory.yaml"',
  'memory\t../shop\t"memory.yaml"',
  'knowledge\t\t"cut',
  'knowledge\t\t5',
  'elsewhere\t\t"note.md"',
  '',
])('the key %j of a damaged file leads nowhere', (key) => expect(sourceOfKey(layout, key)).toBeUndefined());
