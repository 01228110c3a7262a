import { defined } from '../base/defined.ts';
import type { Diagnostic } from '../base/errors.ts';
import { diagnostic } from '../model/codes.ts';
import { shortCall } from '../model/eventText.ts';
import type { PolicySource } from '../model/policy.ts';
import type { PolicyRuleRow, policyRequests, ToolExplanation } from '../model/requests/policy.ts';
import type { PolicyPage } from '../plans/policyStore.ts';
import { judgeToolOnDisk } from '../plans/sessions/judgeToolOnDisk.ts';
import { storedSecretsFor } from '../plans/sessions/toolJudgement.ts';
import { policyLines } from '../vault/policyFile.ts';
import type { HandlersOf } from './handlers.ts';

export const policyHandlers: HandlersOf<typeof policyRequests> = {
  async policy({ services, directory }, { plan }) {
    const place = plan === undefined ? undefined : await directory.find(plan);
    const { pages } = await services.policies.of(place);
    const { lintPolicy } = await import('../gates/policy/policyLint.ts');
    const compiled = pages.flatMap((page) => (page.compiled === undefined ? [] : [page.compiled]));
    const rows = rowsOf(
      pages,
      compiled.flatMap(({ rules }) => rules),
    );
    const doubts = lintPolicy(compiled);
    const places = rowsOf(
      pages,
      doubts.map(({ rule }) => rule),
    );
    const lint = doubts.map(({ message, rule }, at): Diagnostic => {
      const position = { line: (places[at]?.line ?? 1) - 1, character: 0 };
      const range = { start: position, end: position };
      return diagnostic('policy/doubtful', rule.file, message, { file: rule.file, severity: 'warning', range });
    });
    const olderCommands = services.settings.gates['allowed-commands'];
    const { policy: policyFile, settings } = services.layout;
    const older = olderCommands.map((program): Diagnostic => {
      const rule = JSON.stringify(`Bash(${program} *)`);
      const message = `gates.allowed-commands allows ${program}. To keep all rules in one place, write ${rule} below allow of permissions in ${policyFile}.`;
      return diagnostic('policy/olderSetting', settings, message, { file: settings, severity: 'info' });
    });
    return {
      rules: rows,
      diagnostics: [...pages.flatMap(({ diagnostics }) => diagnostics), ...lint, ...older],
      olderCommands,
    };
  },

  async explain_tools({ services, directory }, { plan, phase, harness, confinement, uses }) {
    const location = await directory.find(plan);
    const { projectDirectory, ravelDirectory } = location;
    const { pages } = await services.policies.of(location);
    const asker = { actor: location.id, phase, ...defined({ harness }) };
    const ruled = await services.policies.forRequest(location, asker, projectDirectory);
    const stored = await storedSecretsFor(services);
    const explained: ToolExplanation[] = [];
    for (const { tool, input } of uses) {
      const verdict = await judgeToolOnDisk(services.disk, {
        ...{ purpose: phase, confinement, projectDirectory, ravelDirectory, workingDirectory: projectDirectory },
        network: services.settings.sandbox.network,
        request: { tool_name: tool, input },
        allowedCommands: services.settings.gates['allowed-commands'],
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
};

/** These rules with their lines, in their order. A file that is broken by now has no lines for its last good rules. */
function rowsOf(pages: readonly PolicyPage[], rules: readonly PolicySource[]): readonly PolicyRuleRow[] {
  const lines = new Map<PolicySource, number | undefined>();
  for (const { file, text, isBroken } of pages) {
    const own = rules.filter((rule) => rule.file === file);
    if (isBroken || own.length === 0) continue;
    const found = policyLines(
      text,
      file,
      own.map(({ path }) => path),
    );
    for (const [at, rule] of own.entries()) lines.set(rule, found[at]);
  }
  return rules.map((rule) => {
    const { layer, file, id, action, text } = rule;
    return { layer, file, action, text, ...defined({ id, line: lines.get(rule) }) };
  });
}
