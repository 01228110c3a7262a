import { join, relative } from 'node:path';
import { defined } from '../base/defined.ts';
import { type Diagnostic, isRavelError, RavelError } from '../base/errors.ts';
import { readTextIfExists, sha256, writeAtomicIf } from '../base/files.ts';
import { diagnostic } from '../model/codes.ts';
import { projectOf } from '../model/id.ts';
import { type PolicyFile, policyActions } from '../model/policy.ts';
import type { LeftImport, PolicyImport } from '../model/requests/policy.ts';
import { commitInVault } from '../plans/commits/commitInVault.ts';
import {
  addRules,
  chooseRuleId,
  type ImportedRule,
  newRules,
  readForeignSettings,
  suggestRule,
} from '../plans/policyImport.ts';
import type { PlanServices } from '../plans/services.ts';
import { parsePolicyFile } from '../vault/policyFile.ts';
import { olderCommandsOf } from '../vault/settings.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { formatYaml } from '../yaml/yaml.ts';

/** Which settings are read, and what becomes of them. */
export interface ImportAsked {
  readonly place: PlanLocation | undefined;
  readonly user: boolean;
  readonly write: boolean;
}

interface Source {
  readonly file: string;
  readonly text: string;
  /** What the rule of its rules is called, and whom it is for. */
  readonly id: string;
  readonly actors?: readonly string[];
  readonly isOfUser: boolean;
}

/** Suggests rules for the vault's policy from settings that say something like it, and adds them if that is asked. */
export async function importPolicy(services: PlanServices, asked: ImportAsked): Promise<PolicyImport> {
  const { disk, layout } = services;
  const file = layout.policy;
  const before = await readTextIfExists(disk, file);
  const text = before ?? '';
  const { content, diagnostics: faults } = parsePolicyFile(text, file);
  const [fault] = faults;
  if (content === undefined && fault !== undefined) throw new RavelError({ ...fault, code: 'policy/fileBroken' });
  const read = await readSources(services, asked, content ?? {});
  const { result, problems } = await resultOf(text, content ?? {}, { file, added: read.rules });
  const isWritten = asked.write && read.problems.length === 0 && read.rules.length > 0 && result !== undefined;
  if (isWritten) {
    await writeAtomicIf(disk, file, before === undefined ? undefined : sha256(before), result);
    await commitInVault(services, [relative(layout.root, file)], 'Take over rules of other settings');
  }
  return {
    ...{ file, sources: read.sources, left: read.left, isWritten },
    suggested: read.rules.length === 0 ? '' : formatYaml({ rules: read.rules }),
    diagnostics: [...read.problems, ...problems],
  };
}

interface ReadSources {
  readonly sources: readonly string[];
  readonly rules: readonly ImportedRule[];
  readonly left: readonly LeftImport[];
  readonly problems: readonly Diagnostic[];
}

async function readSources(services: PlanServices, asked: ImportAsked, content: PolicyFile): Promise<ReadSources> {
  const sources = await sourcesOf(services, asked);
  const left: LeftImport[] = [];
  const problems: Diagnostic[] = [];
  const byId = new Map<string, ImportedRule>();
  const add = (wished: Pick<Source, 'id' | 'actors'>, rules: Parameters<typeof suggestRule>[1]) => {
    const { actors } = wished;
    const id = chooseRuleId([...(content.rules ?? []), ...byId.values()], wished);
    const known = byId.get(id);
    const earlier = known === undefined ? [] : rulesOf(known);
    const fresh = newRules(content, { id, ...defined({ actors }) }, rules).filter(
      (one) => !earlier.some(({ action, text }) => action === one.action && text === one.text),
    );
    const rule = suggestRule({ id, ...defined({ actors }) }, [...earlier, ...fresh]);
    if (rule !== undefined) byId.set(id, rule);
  };
  for (const source of sources) {
    const { rules, problem } = readForeignSettings(source.text, source.isOfUser);
    if (problem !== undefined) {
      const message = `${source.file} cannot be taken over. ${problem}`;
      problems.push(diagnostic('policy/badSource', source.file, message, { file: source.file }));
      continue;
    }
    add(source, rules.taken);
    left.push(...rules.left.map((one) => ({ ...one, file: source.file })));
  }
  const settings = services.layout.settings;
  const older = olderCommandsOf((await readTextIfExists(services.disk, settings)) ?? '');
  add(
    { id: 'allowed-commands' },
    older.map((program) => ({ action: 'allow', text: `Bash(${program} *)` }) as const),
  );
  const files = [...sources.map(({ file }) => file), ...(older.length > 0 ? [settings] : [])];
  return { sources: files, rules: [...byId.values()], left, problems };
}

function rulesOf(rule: ImportedRule) {
  return policyActions.flatMap((action) => (rule[action] ?? []).map((text) => ({ action, text })));
}

async function sourcesOf(
  { disk, environment }: PlanServices,
  { place, user }: ImportAsked,
): Promise<readonly Source[]> {
  const home = environment['HOME'];
  const named: Omit<Source, 'text'>[] = [];
  if (user && home !== undefined)
    named.push({ file: join(home, '.claude', 'settings.json'), id: 'claude-code', isOfUser: true });
  if (place !== undefined) {
    const project = projectOf(place.id);
    for (const name of ['settings.json', 'settings.local.json']) {
      const file = join(place.projectDirectory, '.claude', name);
      named.push({ file, id: `claude-code-${project}`, actors: [`${project}/**`], isOfUser: false });
    }
  }
  const found: Source[] = [];
  for (const one of named) {
    const text = await readTextIfExists(disk, one.file);
    if (text !== undefined) found.push({ ...one, text });
  }
  return found;
}

interface Result {
  /** Undefined if the rules cannot be added. */
  readonly result: string | undefined;
  readonly problems: readonly Diagnostic[];
}

/** The policy as it would be, and what is wrong or doubtful about the rules that are added. */
async function resultOf(
  text: string,
  content: PolicyFile,
  { file, added }: { readonly file: string; readonly added: readonly ImportedRule[] },
): Promise<Result> {
  let result: string;
  try {
    result = addRules(text, content, added, file);
  } catch (error) {
    if (!isRavelError(error, 'yaml/editRefused')) throw error;
    return { result: undefined, problems: [error.diagnostic] };
  }
  const { compileLayer } = await import('../gates/policy/toolPolicy.ts');
  const { failedExamples } = await import('../gates/policy/examples.ts');
  const { lintPolicy } = await import('../gates/policy/policyLint.ts');
  const { content: after, diagnostics } = parsePolicyFile(result, file);
  if (after === undefined) return { result: undefined, problems: diagnostics };
  const layer = compileLayer('vault', file, after);
  const faults = [...layer.faults, ...failedExamples(layer)];
  if (faults.length > 0) {
    const wrong = faults.map(({ message }) => diagnostic('policy/badRule', file, message, { file }));
    return { result: undefined, problems: wrong };
  }
  const ids = new Set(added.map(({ id }) => id));
  const doubts = lintPolicy([layer])
    .filter(({ rule }) => ids.has(rule.id ?? ''))
    .map(({ message }) => diagnostic('policy/doubtful', file, message, { file, severity: 'warning' }));
  return { result, problems: doubts };
}
