import { defined } from '../base/defined.ts';
import type { Diagnostic } from '../base/errors.ts';
import { diagnostic } from '../model/codes.ts';
import { shortCall } from '../model/eventText.ts';
import type { PolicySource } from '../model/policy.ts';
import type { PolicyRuleRow, policyRequests, ToolExplanation } from '../model/requests/policy.ts';
import { settingsOfPlan } from '../plans/planSettings.ts';
import type { PolicyPage } from '../plans/policyStore.ts';
import type { PlanServices } from '../plans/services.ts';
import { judgeToolOnDisk } from '../plans/sessions/judgeToolOnDisk.ts';
import { askerOf, storedSecretsFor } from '../plans/sessions/toolJudgement.ts';
import { loadPlan } from '../vault/planStore.ts';
import { policyRanges } from '../vault/policyFile.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { assertOwner, type HandlersOf } from './handlers.ts';
import { idleActors } from './policyFaults.ts';
import { verdictsOf } from './policyVerdicts.ts';

export const policyHandlers: HandlersOf<typeof policyRequests> = {
  async policy({ services, directory }, { plan }) {
    const place = plan === undefined ? undefined : await directory.find(plan);
    const { policies } = services;
    const { pages } = await policies.of(place);
    const { lintPolicy } = await import('../gates/policy/policyLint.ts');
    const compiled = pages.flatMap((page) => (page.compiled === undefined ? [] : [page.compiled]));
    const entries = compiled.flatMap(({ rules }) => rules);
    const rows = rowsOf(pages, entries);
    const rowOf = new Map(entries.map((entry, at) => [entry, rows[at]]));
    const lint = lintPolicy(compiled).map(({ message, rule }): Diagnostic => {
      const position = { line: (rowOf.get(rule)?.line ?? 1) - 1, character: 0 };
      const range = { start: position, end: position };
      return diagnostic('policy/doubtful', rule.file, message, { file: rule.file, severity: 'warning', range });
    });
    const { plans } = await directory.all();
    const idle = await idleActors(services, pages, plans);
    // Without a plan the rules of projects are left out, but no plan of a project can work while its file is broken.
    const others = place === undefined ? await policies.sharedFaults(plans) : [];
    const told = new Set(pages.map(({ file }) => file));
    const diagnostics = [...pages.flatMap((page) => page.diagnostics), ...lint, ...idle];
    return { rules: rows, diagnostics: [...diagnostics, ...others.filter(({ file = '' }) => !told.has(file))] };
  },

  async explain_tools({ services, directory }, { plan, phase, harness, model, confinement, uses }) {
    const location = await directory.find(plan);
    const { projectDirectory, ravelDirectory } = location;
    const { pages } = await services.policies.of(location);
    const asker = askerOf(services, {
      plan: location.id,
      phase,
      harness: harness ?? (await harnessOf(services, location)),
    });
    const chosen = model === undefined ? asker : { ...asker, model };
    const ruled = await services.policies.forRequest(location, chosen, projectDirectory, model !== undefined);
    const stored = await storedSecretsFor(services);
    const explained: ToolExplanation[] = [];
    for (const { tool, input } of uses) {
      const verdict = await judgeToolOnDisk(services.disk, {
        ...{ purpose: phase, confinement, projectDirectory, ravelDirectory, workingDirectory: projectDirectory },
        network: services.settings.sandbox.network,
        request: { tool_name: tool, input },
        passedVariables: services.settings.environment.pass,
        ...ruled,
        ...stored,
      });
      const [rule] = verdict.rule === undefined ? [] : rowsOf(pages, [verdict.rule]);
      const reason = verdict.decision === 'allow' ? undefined : verdict.reason;
      explained.push({
        ...{ tool, call: shortCall(tool, input, projectDirectory), decision: verdict.decision },
        ...defined({ gate: verdict.gate, rule, reason }),
      });
    }
    return { explained };
  },

  async verdicts(context, { plan, session, refused }, signal) {
    const place = plan === undefined ? undefined : await context.directory.find(plan);
    return verdictsOf(context, { session, plan: place?.id, refused }, signal);
  },

  async import_policy(context, { plan, user, write }) {
    if (write) assertOwner(context);
    const { importPolicy } = await import('./policyImport.ts');
    const place = plan === undefined ? undefined : await context.directory.find(plan);
    return importPolicy(context.services, { place, user, write });
  },
};

/** The harness of the plan's sessions. */
async function harnessOf({ disk, settings }: PlanServices, location: PlanLocation): Promise<string> {
  const { state } = await loadPlan(disk, location);
  return settingsOfPlan(settings, state).run.harness;
}

/** These rules with their lines, in their order. A file that is broken by now has no lines for its last good rules. */
function rowsOf(pages: readonly PolicyPage[], rules: readonly PolicySource[]): readonly PolicyRuleRow[] {
  const lines = new Map<PolicySource, number | undefined>();
  for (const { file, text, isBroken } of pages) {
    const own = rules.filter((rule) => rule.file === file);
    if (isBroken || own.length === 0) continue;
    const found = policyRanges(
      text,
      file,
      own.map(({ path }) => path),
    );
    for (const [at, rule] of own.entries()) {
      const range = found[at];
      lines.set(rule, range && range.start.line + 1);
    }
  }
  return rules.map((rule) => {
    const { layer, file, id, action, text } = rule;
    return { layer, file, action, text, ...defined({ id, line: lines.get(rule) }) };
  });
}
