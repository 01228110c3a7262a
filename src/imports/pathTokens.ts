import { isReasoningPhase, phaseFromWord, type ReasoningPhase } from '../model/phase.ts';
import { phaseTokens } from '../model/promptTokens.ts';

/**
 * Resolves the path tokens of the Markdown form, once, to paths relative to the project, which mean the same on every
 * machine: `{{PROJECT}}/docs` becomes `docs`, `{{DEV_ROOT}}/other` becomes `../other`. A token that stands alone in
 * backquotes is talked about rather than used, and stays.
 */
export function resolvePathTokens(text: string, planPath: string): string {
  const values: Readonly<Record<string, string>> = { PROJECT: '.', DEV_ROOT: '..', PLAN: planPath };
  return text.replace(/`\{\{[A-Z_]+\}\}`|\{\{(PROJECT|DEV_ROOT|PLAN)\}\}(\/(?=[^\s`]))?/g, (all, name, slash) => {
    const value = typeof name === 'string' ? values[name] : undefined;
    if (value === undefined) return all;
    if (slash === undefined) return value;
    return value === '.' ? '' : `${value}/`;
  });
}

/** Tokens that are used as the beginning of a path and lead nowhere here. */
export function unknownPathTokens(text: string): string[] {
  const names = [...text.matchAll(/\{\{([A-Z_]{1,60})\}\}\//g)].map(([, name = '']) => name);
  return [...new Set(names)].sort();
}

/** The phase that a plan's own addition to a prompt is for; older plans call a dream `compact`. */
export function promptPhase(file: string): ReasoningPhase | undefined {
  const word = /^prompt-([a-z-]+)\.md$/.exec(file)?.[1];
  const phase = word === undefined ? undefined : phaseFromWord(word);
  return phase !== undefined && isReasoningPhase(phase) ? phase : undefined;
}

/** Takes the braces off tokens that the phase is not given: with one of them left, it could not run at all. */
export function escapeTokens(
  text: string,
  phase: ReasoningPhase,
): { readonly text: string; readonly escaped: readonly string[] } {
  const escaped = new Set<string>();
  const result = text.replace(/\{\{([A-Za-z0-9_]+)\}\}/g, (all, name: string) => {
    if (phaseTokens[phase].some((token) => token === name)) return all;
    escaped.add(name);
    return name;
  });
  return { text: result, escaped: [...escaped].sort() };
}
