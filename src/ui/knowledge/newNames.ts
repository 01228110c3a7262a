import { t } from '@vscode/l10n';
import { capitalized } from '../../base/text.ts';
import { entryTagProblem, entryTitleProblem } from '../../model/entry.ts';
import { expertIdProblem, expertSchema } from '../../model/expert.ts';

/** Checks of what a person types of a new entry or expert: what is wrong as a sentence, or undefined. */
export function entryTitleMessage(text: string): string | undefined {
  const problem = entryTitleProblem(text.trim());
  return problem === undefined ? undefined : toSentence(problem);
}

/** The tags in a line, with commas or blanks between them. */
export function tagsIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).flatMap((word) => (word === '' ? [] : [word.replace(/^#/, '')]));
}

export function tagsMessage(text: string): string | undefined {
  const [problem] = tagsIn(text).flatMap((tag) => entryTagProblem(tag) ?? []);
  return problem === undefined ? undefined : toSentence(problem);
}

export function expertIdMessage(text: string, taken: readonly string[]): string | undefined {
  const id = text.trim();
  const problem = expertIdProblem(id);
  if (problem !== undefined) return toSentence(problem);
  return taken.includes(id) ? t('The vault has an expert of that id.') : undefined;
}

/** Of one folder below `knowledge/`. */
export function scopeMessage(text: string): string | undefined {
  const { error } = expertSchema.shape['knowledge-scope'].safeParse([text.trim()]);
  return error === undefined ? undefined : toSentence(error.issues[0]?.message ?? t('not a folder'));
}

function toSentence(problem: string): string {
  return `${capitalized(problem)}.`;
}
