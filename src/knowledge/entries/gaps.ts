import { basename } from 'node:path';
import { plural } from '../../base/text.ts';
import type { KnowledgeGap } from '../../model/requests/knowledge.ts';
import { axisOf, type EntryHead, entrySubject } from '../../vault/entryFile.ts';

/** A language with fewer entries than this is hardly known. */
const languageEntriesMin = 3;

/** A question that an expert could not answer. */
export interface OpenQuestion {
  readonly expert: string;
  readonly question: string;
}

/** What the knowledge lacks, from the entries that answer questions now, and the questions that were left open. */
export function findGaps(
  heads: readonly EntryHead[],
  questions: readonly OpenQuestion[] = [],
): readonly KnowledgeGap[] {
  const live = heads.filter(({ isArchived, fields }) => !isArchived && fields['superseded-by'].length === 0);
  return [
    ...thinLanguages(live),
    ...unproven(live),
    ...questions.map(
      ({ expert, question }): KnowledgeGap => ({
        ...{ kind: 'question', text: `${expert} could not answer: ${question}`, entries: [] },
      }),
    ),
    ...lonelyTags(live),
  ];
}

function thinLanguages(heads: readonly EntryHead[]): KnowledgeGap[] {
  const languages = group(
    heads.filter((head) => axisOf(head) === 'languages'),
    (head) => [languageOf(head)],
  );
  return languages
    .filter(([, own]) => own.length < languageEntriesMin)
    .map(([language, own]) => {
      const text = `The language "${language}" has only ${plural(own.length, 'entry', 'entries')}.`;
      return { kind: 'language', text, entries: own.map(entrySubject) };
    });
}

/** The folder below the axis, or what the name of the file begins with: `languages/rust/x.md`, `languages/rust-x.md`. */
function languageOf({ path }: EntryHead): string {
  const [, folder = '', ...rest] = path.split('/');
  return rest.length > 0 ? folder : (basename(folder, '.md').split('-')[0] ?? '');
}

function unproven(heads: readonly EntryHead[]): KnowledgeGap[] {
  const doubtful = heads.filter(({ fields }) => fields.confidence === 'low' || fields.confidence === 'prospective');
  return doubtful.map((head) => {
    const text = `"${head.fields.title}" is ${head.fields.confidence === 'low' ? 'hardly proven' : 'an idea that was never tried'}.`;
    return { kind: 'unproven', text, entries: [entrySubject(head)] };
  });
}

function lonelyTags(heads: readonly EntryHead[]): KnowledgeGap[] {
  return group(heads, ({ fields }) => fields.tags)
    .filter(([, own]) => own.length === 1)
    .map(([tag, own]) => ({ kind: 'tag', text: `The tag "${tag}" is used once.`, entries: own.map(entrySubject) }));
}

/** By name, in the order of the names. */
function group(
  heads: readonly EntryHead[],
  namesOf: (head: EntryHead) => readonly string[],
): (readonly [name: string, heads: readonly EntryHead[]])[] {
  const groups = new Map<string, EntryHead[]>();
  for (const head of heads) {
    for (const name of new Set(namesOf(head))) {
      const own = groups.get(name);
      if (own === undefined) groups.set(name, [head]);
      else own.push(head);
    }
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
}
