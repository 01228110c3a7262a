import { commitTitleLengthMax } from '../model/commitTitle.ts';
import { phases } from '../model/phase.ts';

/** What is wrong with the message of a commit, a clause each. `ids` are those of the backlog's tasks. */
export function messageProblems(message: string, ids: ReadonlySet<string>): string[] {
  const [title = '', second] = message.split(/\r?\n/);
  const problems: string[] = [];
  const length = [...title].length;
  if (title.trim() === '') problems.push('the title is empty');
  if (length > commitTitleLengthMax)
    problems.push(`the title has ${length} characters; ${commitTitleLengthMax} are allowed`);
  const word = firstWord(title);
  if (!isImperative(word))
    problems.push(`the title starts with "${word}"; say what the commit does, as "Add" or "Fix"`);
  for (const name of bookkeeping(title, ids)) problems.push(`the title names ${name}; describe the change of the tree`);
  if (second !== undefined && second.trim() !== '') problems.push('a blank line is missing between title and body');
  return problems;
}

/** The first word after a prefix such as `fix(parser): `. */
function firstWord(title: string): string {
  const text = title.replace(/^[a-z]+(\([^)]*\))?!?:\s+/i, '');
  return text.trim().split(/[\s,:;]/, 1)[0] ?? '';
}

/** Past tense and `-ing` are told by their ends; of the third person only common verbs, since nouns end in s too. */
function isImperative(word: string): boolean {
  const lower = word.toLowerCase();
  if (endsLikeParticiple.has(lower)) return true;
  if (/(?:[^e]ed|ing)$/.test(lower)) return false;
  return !thirdPerson.test(lower);
}

const endsLikeParticiple: ReadonlySet<string> = new Set([
  ...['embed', 'shed', 'shred', 'wed', 'bed', 'bring', 'ring', 'string', 'ping', 'spring', 'swing', 'sling', 'sing'],
]);

const thirdPerson =
  /^(?:add|allow|avoid|build|change|check|clean|correct|delete|document|drop|enable|extend|extract|fixe|handle|implement|improve|introduce|keep|let|make|merge|move|prevent|reduce|refactor|reject|remove|rename|replace|report|return|rewrite|show|simplifie|split|stop|support|switche|teach|test|tidie|update|use|write)s$/;

function bookkeeping(title: string, ids: ReadonlySet<string>): string[] {
  const found: string[] = [];
  // An id of one word is a plain word of the language as well.
  const words = new Set(title.toLowerCase().match(/[a-z0-9]+(?:-[a-z0-9]+)*/g));
  for (const word of words) if (word.includes('-') && ids.has(word)) found.push(`the task "${word}"`);
  if (/\bsession[\s#-]*\d+/i.test(title) || /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/.test(title)) found.push('a session');
  const named = phases.find((phase) => phase.includes('-') && title.toLowerCase().includes(phase));
  const phase = named ?? /\b(work|reflect|dream|triage)\s+phase\b/i.exec(title)?.[0];
  if (phase !== undefined) found.push(`the phase "${phase}"`);
  return found;
}
