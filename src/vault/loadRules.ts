import type { ReadingDisk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { diagnostic } from '../model/codes.ts';
import { type Rule, ruleFileSchema } from '../model/rule.ts';
import { readYaml } from '../yaml/yaml.ts';
import type { VaultLayout } from './layout.ts';

/** The rules of `routing.yaml`, and what is wrong with the file; one that does not exist has none. */
export async function loadRules(
  disk: ReadingDisk,
  layout: VaultLayout,
): Promise<{ readonly rules: readonly Rule[]; readonly diagnostics: readonly Diagnostic[] }> {
  const file = layout.routing;
  const { rules = [], diagnostics } = parseRules((await readTextIfExists(disk, file)) ?? '', file);
  return { rules, diagnostics };
}

/** The rules of a text, none of one that is empty or all comment; undefined with what is wrong if it does not parse. */
export function parseRules(
  text: string,
  file: string,
): { readonly rules: readonly Rule[] | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const { value, diagnostics } = readYaml(ruleFileSchema.nullable(), text, { file, subject: file });
  return { rules: value === undefined ? undefined : (value?.rules ?? []), diagnostics };
}

/** Finds enabled rules whose target does not exist; `names` are the plans, projects and experts of the vault. */
export function checkTargets(layout: VaultLayout, rules: readonly Rule[], names: ReadonlySet<string>): Diagnostic[] {
  return rules
    .filter(({ enabled, target }) => enabled && !names.has(target))
    .map(({ id, target }) => {
      const message = `The rule "${id}" leads to "${target}", which this vault does not have.`;
      return diagnostic('rule/unknownTarget', layout.routing, message, { file: layout.routing });
    });
}
