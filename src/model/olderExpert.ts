import { isRecord } from '../base/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Bytes that one entry could have in the older form, unless told. */
const entryBytesUsual = 4096;
const entriesUsual = 8;

/** Whether a declaration has the older form: `kind: expert` with a `scope`, and its persona as its body. */
export function isOlderExpert(data: unknown): data is Fields {
  return isRecord(data) && data['actor-type'] === undefined && (data['kind'] === 'expert' || isRecord(data['scope']));
}

/**
 * A declaration of the older form in the present one. What it does not say stays absent, and what it says wrongly stays
 * wrong, so that the one schema of experts judges both.
 */
export function fieldsOfOlderExpert(id: string, data: Fields, body: string): Fields {
  const { scope, retrieval, dialogue, kind, tags } = data;
  return present({
    'actor-type': kind,
    'expert-id': id,
    description: data['description'],
    persona: body.trim(),
    'knowledge-scope': isRecord(scope) ? scope['tier2'] : scope,
    'project-knowledge': isRecord(scope) ? each(scope['tier1'], ofProject) : undefined,
    retrieval: isRecord(retrieval) ? fieldsOfRetrieval(retrieval) : retrieval,
    tags,
    model: data['model'],
    dialogue: isRecord(dialogue) ? fieldsOfDialogue(dialogue) : dialogue,
  });
}

/** How the older form names a key, for a person who looks for it in the file. */
export function olderKeyOf(key: string): string {
  const known = Object.keys(olderKeys).find((one) => key === one || key.startsWith(`${one}.`));
  return known === undefined ? key : `${olderKeys[known]}${key.slice(known.length)}`;
}

const olderKeys: Readonly<Record<string, string>> = {
  'actor-type': 'kind',
  persona: 'the text below the frontmatter',
  'knowledge-scope': 'scope.tier2',
  'project-knowledge': 'scope.tier1',
  'retrieval.max-entries': 'retrieval.top_n',
  'retrieval.max-bytes': 'retrieval.max_bytes_per_entry',
  'dialogue.max-questions': 'dialogue.max_clarification_rounds',
};

/** The budget was one for each entry; together they have as much. */
function fieldsOfRetrieval(retrieval: Fields): Fields {
  const { strategy, top_n: entries = entriesUsual, max_bytes_per_entry: bytes = entryBytesUsual } = retrieval;
  const isCounted = typeof entries === 'number' && typeof bytes === 'number';
  return present({
    strategy: strategy === 'keyword_section' ? 'keyword' : strategy,
    'max-entries': entries,
    'max-bytes': isCounted ? entries * bytes : bytes,
  });
}

function fieldsOfDialogue(dialogue: Fields): Fields {
  const { allow_clarifying_questions: isAllowed, max_clarification_rounds: rounds } = dialogue;
  return present({ 'max-questions': isAllowed === false ? 0 : rounds });
}

/** `greeter/knowledge/rust` of the older form is `greeter/rust`: a project has one folder of knowledge. */
function ofProject(glob: unknown): unknown {
  return typeof glob === 'string' ? glob.replace(/^([^/]+)\/(?:ravel\/)?knowledge\//, '$1/') : glob;
}

function each(value: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(change) : value;
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
