import { defined } from '../base/defined.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { matchesWildcard } from '../gates/wildcard.ts';
import { diagnostic } from '../model/codes.ts';
import type { PolicyFile } from '../model/policy.ts';
import { parsePolicyFile, policyRanges } from '../vault/policyFile.ts';
import { editYaml, type YamlEdit } from '../yaml/yaml.ts';
import type { PolicyPage } from './policyStore.ts';

/** Whom `actors` of rules can name. */
export interface PolicyNames {
  readonly plans: readonly { readonly id: string; readonly project: string }[];
  /** `expert:NAME`. */
  readonly experts: readonly string[];
}

/**
 * Rules for actors that the vault does not have, so that a rule that was to refuse something refuses nothing, as after a
 * rename. Files that cannot be read are not looked at.
 */
export function findIdleActors(
  pages: readonly Pick<PolicyPage, 'layer' | 'file' | 'text' | 'isBroken' | 'compiled'>[],
  { plans, experts }: PolicyNames,
): readonly Diagnostic[] {
  if (plans.length === 0) return [];
  const names = [...plans.map(({ id }) => id), ...experts].map((name) => name.toLowerCase());
  const projects = new Set(plans.map(({ project }) => project.toLowerCase()));
  const idle = new Map<string, boolean>();
  const isIdle = (actor: string) => {
    const known = idle.get(actor) ?? !names.some((name) => matchesWildcard(actor.toLowerCase(), name));
    idle.set(actor, known);
    return known;
  };
  return pages.flatMap(({ file, text, isBroken, compiled }) => {
    if (isBroken) return [];
    const found = new Map<string, { readonly path: readonly (string | number)[]; readonly message: string }>();
    for (const { rule, path } of compiled?.rules ?? []) {
      for (const [at, actor] of (rule?.actors ?? []).entries()) {
        if (!isIdle(actor)) continue;
        const place = [...path.slice(0, -2), 'actors', at];
        const hint = projects.has(actor.toLowerCase()) ? ` The plans of that project are ${actor}/**.` : '';
        const message = `The rule "${rule?.id ?? ''}" is for "${actor}", and the vault has no plan or expert of that name.${hint}`;
        found.set(place.join(' '), { path: place, message });
      }
    }
    const faults = [...found.values()];
    const ranges = policyRanges(
      text,
      file,
      faults.map(({ path }) => path),
    );
    return faults.map(({ message }, at) => {
      return diagnostic('policy/doubtful', file, message, {
        file,
        severity: 'warning',
        ...defined({ range: ranges[at] }),
      });
    });
  });
}

/** A plan or a project, and what it is called since. */
interface NewName {
  readonly from: string;
  readonly to: string;
}

/**
 * The text of a policy after a plan or a project got another name: `actors` that name it, or something below it, name it
 * by the new one. The text itself if nothing names it, or if it cannot be edited.
 */
export function renameActors(text: string, file: string, { from, to }: NewName): string {
  const edits: YamlEdit[] = [];
  for (const [at, rule] of rulesOf(text, file).entries()) {
    for (const [index, actor] of (rule.actors ?? []).entries()) {
      const start = actor.slice(0, from.length);
      const rest = actor.slice(from.length);
      if (start.toLowerCase() !== from.toLowerCase() || (rest !== '' && !rest.startsWith('/'))) continue;
      edits.push({ op: 'set', path: ['rules', at, 'actors', index], value: to + rest });
    }
  }
  try {
    return edits.length === 0 ? text : editYaml(text, edits, { file, subject: file });
  } catch (error) {
    if (!isRavelError(error, 'yaml/editRefused')) throw error;
    return text;
  }
}

/** The rules of a policy that held for plans under their old names and do not under the new ones. */
export function lostActors(text: string, file: string, names: readonly NewName[]): readonly Diagnostic[] {
  return rulesOf(text, file).flatMap(({ id, actors }) => {
    const holds = (plan: string) =>
      actors == null || actors.some((one) => matchesWildcard(one.toLowerCase(), plan.toLowerCase()));
    const lost = names.find(({ from, to }) => holds(from) && !holds(to));
    if (lost === undefined) return [];
    const message = `The rule "${id}" held for "${lost.from}" and does not hold for "${lost.to}".`;
    return [diagnostic('policy/doubtful', file, message, { file, severity: 'warning' })];
  });
}

function rulesOf(text: string, file: string): NonNullable<PolicyFile['rules']> {
  return parsePolicyFile(text, file).content?.rules ?? [];
}
