import { isUlid } from './id.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The form of the entries of Reverie, an older program. */
const chunkSchemaName = 'reverie.chunk.v1';

export function isChunk(data: Fields): boolean {
  return data['schema_id'] === chunkSchemaName || data['schema'] === chunkSchemaName;
}

/** The keys of a chunk as those of an entry; a key that the chunk has in this form already stays as it is. */
export function fieldsOfChunk(chunk: Fields): Fields {
  const { id, created } = chunk;
  const renamed: Fields = {
    schema: chunkSchemaName,
    topic: chunk['topic_key'],
    status: lowerCase(chunk['consolidation_status']),
    depth: chunk['depth_score'],
    related: chunk['related_to'],
    supersedes: chunk['supersedes'],
    'superseded-by': chunk['superseded_by'],
    'source-session': chunk['source_session'],
    origins: originsOf(chunk['source_project'], created),
  };
  const given = Object.entries(renamed).filter(([key, value]) => value !== undefined && chunk[key] === undefined);
  // Chunks have ids of many forms; one that is a ULID stays the id of the entry.
  const isIdOfEntry = typeof id === 'string' && isUlid(id);
  const own = Object.entries(chunk).filter(([key]) => key !== 'id' || isIdOfEntry);
  return { ...Object.fromEntries([...given, ...own]), schema: chunkSchemaName };
}

function originsOf(project: unknown, created: unknown): unknown {
  return project === undefined || created === undefined ? undefined : [{ project, date: created }];
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
