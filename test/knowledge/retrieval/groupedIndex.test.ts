import { describe, expect, test } from 'vitest';
import { emptyDocument, type IndexedDocument } from '../../../src/knowledge/retrieval/document.ts';
import { GroupedIndex } from '../../../src/knowledge/retrieval/groupedIndex.ts';

const about = (id: string, body: string): IndexedDocument => ({ ...emptyDocument, id, body });

function makeIndex(): GroupedIndex {
  const index = new GroupedIndex();
  index.put('pay', 'tasks', [about('p1', 'The `CardGateway` charges cards'), about('p2', 'Cards that were declined')]);
  index.put('pay', 'memory', [about('p3', 'The parser of statements is slow')]);
  index.put('find', 'tasks', [about('f1', 'The parser of queries'), about('f2', 'Ranking of products and cards')]);
  return index;
}

const groupsOf = (index: GroupedIndex, query: string) => index.rank(query).scores.map(({ group }) => group);

describe('groups of documents', () => {
  test.each<[string, string, string[]]>([
    ['come first if more of their documents have the word', 'cards', ['pay', 'find']],
    ['come first if they have the rarer word', 'ranking of the parser', ['find', 'pay']],
    ['are found by an identifier', 'CardGateway fails', ['pay', 'find']],
    ['are not found without a shared word', 'weather', []],
    ['are not found by an empty query', '', []],
  ])('%s', (_name, query, expected) => expect(groupsOf(makeIndex(), query)).toEqual(expected));

  test('name the documents that speak most of the query, and how many of its words they have', () => {
    const [first] = makeIndex().rank('declined cards', { documents: 1 }).scores;
    expect(first).toMatchObject({ group: 'pay', words: 2, documents: ['p2'] });
    expect(first?.share).toBeGreaterThan(0);
    expect(first?.share).toBeLessThan(1);
  });

  test('have the same shares if no document is named', () => {
    const { scores } = makeIndex().rank('declined cards');
    const unnamed = scores.map((score) => ({ ...score, documents: [] }));
    expect(makeIndex().rank('declined cards', { documents: 0 }).scores).toEqual(unnamed);
  });

  test('can be limited to some of them', () => {
    const { scores } = makeIndex().rank('cards', { isAllowed: (group) => group === 'find' });
    expect(scores.map(({ group }) => group)).toEqual(['find']);
  });

  test.each(['p1', 'p3', 'f2', 'unknown'])(
    'are ranked without a document as if it had never been put: %s',
    (leftOut) => {
      const without = makeIndex();
      const others = (documents: readonly IndexedDocument[]) => documents.filter(({ id }) => id !== leftOut);
      without.put(
        'pay',
        'tasks',
        others([about('p1', 'The `CardGateway` charges cards'), about('p2', 'Cards that were declined')]),
      );
      without.put('pay', 'memory', others([about('p3', 'The parser of statements is slow')]));
      without.put(
        'find',
        'tasks',
        others([about('f1', 'The parser of queries'), about('f2', 'Ranking of products and cards')]),
      );
      for (const query of ['The parser of statements ranks cards', 'CardGateway declined', 'products of queries']) {
        expect(makeIndex().rank(query, { leftOut }).scores).toEqual(without.rank(query).scores);
      }
    },
  );

  test('change as if they had been made so at once', () => {
    const changed = makeIndex();
    changed.put('pay', 'tasks', [about('p1', 'Something else'), about('p4', 'Invoices')]);
    changed.removeGroup('find');
    changed.put('find', 'tasks', [about('f2', 'Ranking of products')]);
    const made = new GroupedIndex();
    made.put('find', 'tasks', [about('f2', 'Ranking of products')]);
    made.put('pay', 'memory', [about('p3', 'The parser of statements is slow')]);
    made.put('pay', 'tasks', [about('p4', 'Invoices'), about('p1', 'Something else')]);
    for (const query of ['cards', 'parser', 'ranking', 'invoices or something else', 'statements']) {
      expect(changed.rank(query).scores, query).toEqual(made.rank(query).scores);
    }
  });
});
