import { type Code, failure } from '../../model/codes.ts';
import { nearestNames } from '../../model/nearest.ts';
import { type EntryHead, entrySubject } from '../../vault/entryFile.ts';
import { EntryIndex, foldName } from '../../vault/entryIndex.ts';
import type { EntrySurvey } from '../../vault/entrySurvey.ts';

/** Names that a wrong one is compared with: each comparison takes a while, and a vault can have very many. */
const namesComparedMax = 2000;

/** The entry that a name stands for. Throws `entry/unknown`, `entry/ambiguous`, or `entry/plainNote`. */
export function findEntry({ heads, others }: EntrySurvey, name: string, index = new EntryIndex(heads)): EntryHead {
  const found = index.find(name);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first !== undefined) {
    const paths = found.slice(0, 10).map(entrySubject).join(', ');
    throw failure('entry/ambiguous', name, `${found.length} entries are called "${name}": ${paths}.`);
  }
  const folded = foldName(name);
  const other = others.find(({ note }) => foldName(entrySubject(note)) === folded || foldName(note.path) === folded);
  if (other !== undefined) {
    const { file } = other.note;
    const [code, message]: [Code, string] =
      other.kind === 'note'
        ? ['entry/plainNote', `${file} is a note without a title in its frontmatter; only entries can be changed here.`]
        : ['entry/badKey', `${file} cannot be read as an entry; \`ravel verify\` says why.`];
    throw failure(code, entrySubject(other.note), message, { file });
  }
  const known = heads.slice(0, namesComparedMax).map(({ fields }) => fields.title);
  const near = name.length > 3 ? nearestNames(name, known, 3) : [];
  const help = near.length === 0 ? {} : { help: `Did you mean ${near.map((one) => `"${one}"`).join(' or ')}?` };
  throw failure('entry/unknown', name, `No entry is called "${name}".`, help);
}
