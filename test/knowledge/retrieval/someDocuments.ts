import { emptyDocument, type IndexedDocument } from '../../../src/knowledge/retrieval/document.ts';
import { SearchIndex } from '../../../src/knowledge/retrieval/searchIndex.ts';

export function someDocument(id: string, fields: Partial<IndexedDocument> = {}): IndexedDocument {
  return { ...emptyDocument, id, ...fields };
}

export function indexOf(documents: readonly IndexedDocument[]): SearchIndex {
  const index = new SearchIndex();
  index.replaceAll(documents);
  return index;
}
