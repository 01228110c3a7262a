import { t } from '@vscode/l10n';
import { capitalized } from '../../base/text.ts';
import { goalProblem } from '../../model/goal.ts';
import { projectNameProblem, qualifiedIdProblem } from '../../model/id.ts';
import { descriptionLengthMax, descriptionProblem } from '../../model/plan.ts';

/** Checks of what a person types, while they type it: what is wrong as a sentence, or undefined. */
export function vaultNameProblem(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return t('Give the folder a name.');
  if (/[\\/:]/.test(name)) return t('Enter the name of one folder, without slashes, backslashes and colons.');
  if (name.startsWith('.')) return t('A name that starts with a dot would be hidden.');
  // The same rules hold for every name on the disk.
  const problem = qualifiedIdProblem(`${name}/project-root`);
  return problem === undefined ? undefined : toSentence(problem);
}

export function projectNameMessage(text: string): string | undefined {
  const problem = projectNameProblem(text.trim());
  return problem === undefined ? undefined : toSentence(problem);
}

/** The name of a plan right below `parent`; `siblings` are the names that stand there. */
export function planNameProblem(text: string, parent: string, siblings: readonly string[]): string | undefined {
  const name = text.trim();
  if (name === '') return t('Give the plan a name, such as search or price-rounding.');
  if (name.includes('/')) return t('Enter one name without slashes. You choose its parent plan separately.');
  const problem = qualifiedIdProblem(`${parent}/${name}`);
  if (problem !== undefined) return toSentence(problem);
  const taken = siblings.find((one) => one.toLowerCase() === name.toLowerCase());
  return taken === undefined ? undefined : t`A plan "${taken}" already exists.`;
}

export function descriptionMessage(text: string): string | undefined {
  const problem = descriptionProblem(text);
  if (problem === undefined) return undefined;
  const length = [...text.trim()].length;
  return length === 0
    ? t`One sentence that names the lasting scope, of at most ${descriptionLengthMax} characters.`
    : toSentence(problem);
}

export function titleProblem(text: string): string | undefined {
  const length = text.trim().length;
  if (length === 0) return t('Describe the work in a few words.');
  return length > titleLengthMax ? t`The title has ${length} characters; ${titleLengthMax} are allowed.` : undefined;
}

export function categoryProblem(text: string): string | undefined {
  return text.trim() === '' ? t('Give it a category, such as bug or feature.') : undefined;
}

export function goalMessage(text: string): string | undefined {
  return goalProblem(text.trim());
}

/** Characters of a task's title, which is one line in lists. */
const titleLengthMax = 200;

function toSentence(problem: string): string {
  return `${capitalized(problem)}.`;
}
