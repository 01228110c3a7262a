import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { gateNames } from '../src/gates/gate.ts';
import { codes } from '../src/model/codes.ts';
import { eventDescriptions } from '../src/model/event.ts';
import { reasoningPhases } from '../src/model/phase.ts';
import { requestSchemas } from '../src/model/protocol.ts';
import { harnessNames } from '../src/model/settings.ts';
import { houseRules } from './support/houseRules.ts';
import { promptProblems, unmentionedTools } from './support/promptRules.ts';
import { functionSizes, type SourceFile, splitLayers } from './support/sourceText.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = readTree('src', /\.ts$/);
const pages = readTree('webview', /\.ts$/);
const code = [...src, ...pages];
const tests = readTree('test', /\.(?:ts|mjs)$/, /^test\/programs\//);
const prompts = readTree('prompts', /\.md$/);
const papers = [...readTree('docs', /\.md$/), ...readTree('.', /^\.\/[A-Z]+\.md$/)];

/** Source files without a test file of their own, and the test file or folder that covers them. */
const coveredBy: Readonly<Record<string, string>> = {
  'src/cli/main.ts': 'test/cli',
  'src/cli/rehearsal.ts': 'test/cli/commands/demo.test.ts',
  // What stands in the editor is tried in a real one.
  'src/extension.ts': 'test/editor/inHost.test.ts',
  'src/ui/apiKeyCommands.ts': 'test/editor/inHost',
  'src/ui/cancellation.ts': 'test/editor/inHost',
  'src/ui/commands.ts': 'test/editor/inHost',
  'src/ui/contextKeys.ts': 'test/editor/inHost',
  'src/ui/offer.ts': 'test/editor/inHost',
  'src/ui/runner/openTarget.ts': 'test/editor/runner.test.ts',
  'src/ui/runner/phaseRunners.ts': 'test/editor/runner.test.ts',
  'src/ui/runner/runnerPanel.ts': 'test/editor/runner.test.ts',
  'src/ui/runner/shownTexts.ts': 'test/editor/runner.test.ts',
  'src/ui/statusBar.ts': 'test/editor/inHost',
  'src/ui/vaults.ts': 'test/editor/inHost',
  'src/ui/disposables.ts': 'test/editor/inHost',
  'src/ui/observable.ts': 'test/editor/inHost',
  'src/ui/parts.ts': 'test/editor/inHost',
  'src/ui/prompter.ts': 'test/editor/inHost',
  'src/ui/trees/choosePlan.ts': 'test/editor/inHost',
  'src/ui/trees/dropOnPlans.ts': 'test/editor/inHost',
  'src/ui/trees/handCommands.ts': 'test/editor/inHost',
  'src/ui/trees/planCommands.ts': 'test/editor/inHost',
  'src/ui/trees/runCommands.ts': 'test/editor/inHost',
  'src/ui/views.ts': 'test/editor/inHost',
  'src/ui/inbox/approvalCommands.ts': 'test/editor/inHost',
  'src/ui/inbox/approvalPages.ts': 'test/editor/inHost',
  'src/ui/inbox/inboxCommands.ts': 'test/editor/inHost',
  'src/ui/trees/expertsView.ts': 'test/editor/trees.test.ts',
  'src/ui/trees/plansView.ts': 'test/editor/trees.test.ts',
  'src/ui/trees/rowTree.ts': 'test/editor/trees.test.ts',
  'src/ui/trees/sessionsView.ts': 'test/editor/trees.test.ts',
  'src/ui/inbox/inboxView.ts': 'test/editor/trees.test.ts',
  'src/agents/answers.ts': 'test/agents/agentTools.test.ts',
  'src/agents/doing.ts': 'test/agents/agentTools.test.ts',
  'src/agents/looking.ts': 'test/agents/agentTools.test.ts',
  'src/agents/records.ts': 'test/agents/agentTools.test.ts',
  'src/mcp/stdioServer.ts': 'test/mcp/sessionTools.test.ts',
  'src/ui/agents/languageModelTools.ts': 'test/editor/inHost',
  'src/ui/agents/mcpServers.ts': 'test/editor/inHost',
  'src/ui/start/claudeCommands.ts': 'test/editor/inHost',
  'src/ui/start/doctorCommands.ts': 'test/editor/inHost',
  'src/ui/start/openVault.ts': 'test/editor/inHost',
  'src/ui/start/planCommands.ts': 'test/editor/inHost',
  'src/ui/start/projectCommands.ts': 'test/editor/inHost',
  'src/ui/start/questions.ts': 'test/editor/inHost',
  'src/ui/start/rehearsalCommands.ts': 'test/editor/inHost',
  'src/ui/start/startFacts.ts': 'test/editor/inHost',
  'src/ui/start/startPart.ts': 'test/editor/inHost',
  'src/ui/start/vaultCommands.ts': 'test/editor/inHost',
  // What editors are shown is tried by the requests for it, text by text.
  'src/model/document.ts': 'test/requests/documents.test.ts',
  'src/model/documentSchemas.ts': 'test/model/jsonSchemas.test.ts',
  'src/model/keyMeanings.ts': 'test/model/jsonSchemas.test.ts',
  'src/model/projectFile.ts': 'test/vault/projects.test.ts',
  'src/model/requests/documents.ts': 'test/requests/documents.test.ts',
  'src/vault/documents/backlogFindings.ts': 'test/requests/documentRepairs.test.ts',
  'src/vault/documents/completions.ts': 'test/requests/documents.test.ts',
  'src/vault/documents/documentPlace.ts': 'test/requests/documents.test.ts',
  'src/vault/documents/found.ts': 'test/requests/documentRepairs.test.ts',
  'src/vault/documents/frontmatterFindings.ts': 'test/requests/documentRepairs.test.ts',
  'src/vault/documents/lookAt.ts': 'test/requests/documents.test.ts',
  'src/vault/documents/lookUp.ts': 'test/requests/documents.test.ts',
  'src/vault/documents/noteLinks.ts': 'test/requests/documents.test.ts',
  'src/vault/documents/recordShapes.ts': 'test/requests/documents.test.ts',
  'src/vault/documents/records.ts': 'test/requests/documents.test.ts',
  'src/vault/documents/tomlFindings.ts': 'test/requests/documentRepairs.test.ts',
  'src/vault/documents/yamlFindings.ts': 'test/requests/documentRepairs.test.ts',
  'src/ui/editors/changedOnDisk.ts': 'test/editor/editors.test.ts',
  'src/ui/editors/codeActions.ts': 'test/editor/inHost',
  'src/ui/editors/codeLenses.ts': 'test/editor/inHost',
  'src/ui/editors/completionProvider.ts': 'test/editor/inHost',
  'src/ui/editors/editorCommands.ts': 'test/editor/inHost',
  'src/ui/editors/editorsPart.ts': 'test/editor/inHost',
  'src/ui/editors/navigation.ts': 'test/editor/inHost',
  'src/ui/editors/ranges.ts': 'test/editor/inHost',
  'src/ui/editors/renaming.ts': 'test/editor/inHost',
  'src/ui/editors/stateDiagnostics.ts': 'test/editor/inHost',
  'src/ui/editors/stateDocuments.ts': 'test/editor/inHost',
  'src/ui/editors/sideTexts.ts': 'test/editor/inHost',
  // The parts of a mailbox and of a supervisor are tried through them.
  'src/actors/actor.ts': 'test/actors/supervisor.test.ts',
  'src/actors/compaction.ts': 'test/actors/supervisorCrash.test.ts',
  'src/actors/crashRecord.ts': 'test/actors/supervisor.test.ts',
  'src/actors/lazyMailbox.ts': 'test/actors/supervisor.test.ts',
  'src/actors/locateCursor.ts': 'test/actors/mailboxDamage.test.ts',
  'src/actors/mailboxFile.ts': 'test/actors/mailboxDamage.test.ts',
  'src/actors/messageHandler.ts': 'test/actors/supervisor.test.ts',
  'src/actors/pendingMailboxes.ts': 'test/actors/supervisor.test.ts',
  'src/actors/pendingWindow.ts': 'test/actors/mailbox.test.ts',
  'src/actors/taken.ts': 'test/actors/mailbox.test.ts',
  // Schemas of requests are tried by name; their handlers where the requests are made.
  'src/model/phaseRecord.ts': 'test/model/history.test.ts',
  'src/model/planState.ts': 'test/model/plan.test.ts',
  'src/model/protocolVersion.ts': 'test/editor/life.test.ts',
  'src/model/taskStatus.ts': 'test/model/backlogOrder.test.ts',
  'src/model/requests/byHand.ts': 'test/scenarios/byHand.test.ts',
  'src/model/requests/parameters.ts': 'test/model/protocol.test.ts',
  'src/model/requests/actors.ts': 'test/scenarios/messages.test.ts',
  'src/model/requests/imports.ts': 'test/model/protocol.test.ts',
  'src/model/requests/plans.ts': 'test/model/protocol.test.ts',
  'src/model/requests/runs.ts': 'test/model/protocol.test.ts',
  'src/model/requests/sessions.ts': 'test/model/protocol.test.ts',
  'src/model/requests/vault.ts': 'test/model/protocol.test.ts',
  'src/model/requests/spending.ts': 'test/scenarios/budget.test.ts',
  'src/requests/spending.ts': 'test/scenarios/budget.test.ts',
  // What a page looks at is tried over whole cycles.
  'src/model/requests/looks.ts': 'test/scenarios/looks.test.ts',
  'src/requests/looks.ts': 'test/scenarios/looks.test.ts',
  'src/cli/commands/history.ts': 'test/scenarios/looks.test.ts',
  'src/plans/looks/changedFile.ts': 'test/scenarios/looks.test.ts',
  'src/plans/looks/changes.ts': 'test/scenarios/looks.test.ts',
  'src/plans/looks/claims.ts': 'test/scenarios/looks.test.ts',
  'src/plans/looks/given.ts': 'test/scenarios/looks.test.ts',
  'src/plans/looks/lookedAt.ts': 'test/scenarios/looks.test.ts',
  'src/plans/looks/memoryPage.ts': 'test/scenarios/looks.test.ts',
  'src/plans/looks/traces.ts': 'test/scenarios/looks.test.ts',
  'src/plans/phases/phaseHistory.ts': 'test/scenarios/looks.test.ts',
  'src/cli/commands/settings.ts': 'test/docs.test.ts',
  'src/cli/commands/spending.ts': 'test/scenarios/budget.test.ts',
  'src/requests/byHand.ts': 'test/scenarios/byHand.test.ts',
  'src/requests/actors.ts': 'test/scenarios/messages.test.ts',
  'src/requests/handlers.ts': 'test/requests.test.ts',
  'src/requests/plans.ts': 'test/requests.test.ts',
  'src/requests/sessions.ts': 'test/requests.test.ts',
  // The parts of a gate are tried through it, case by case.
  'src/gates/tools/commandArguments.ts': 'test/gates/tools/toolGate.test.ts',
  'src/gates/tools/commandGate.ts': 'test/gates/tools/toolGate.test.ts',
  'src/gates/tools/commandRules.ts': 'test/gates/tools/toolGate.test.ts',
  'src/gates/tools/gitGate.ts': 'test/gates/tools/toolGate.test.ts',
  'src/gates/tools/toolPath.ts': 'test/gates/tools/toolGate.test.ts',
  'src/gates/commitTitle.ts': 'test/gates/commitSpec.test.ts',
  'src/gates/dream/dreamFacts.ts': 'test/gates/dreamLossless.test.ts',
  'src/gates/dream/dreamWords.ts': 'test/gates/dreamLossless.test.ts',
  'src/gates/verbEffects.ts': 'test/gates/verbs.test.ts',
  // Lists of words and shapes that every test of the gates reads.
  'src/gates/gate.ts': 'test/gates',
  'src/model/verdict.ts': 'test/gates',
  'src/cli/commands/stateArguments.ts': 'test/cli/commands/state.test.ts',
  // A terminal is tried with real programs on real pseudo-terminals.
  'src/harness/terminalLauncher.ts': 'test/terminals/terminalProgram.test.ts',
  'src/harness/inTerminal.ts': 'test/scenarios/terminals.test.ts',
  'src/mcp/hook.ts': 'test/real/terminal.test.ts',
  'src/mcp/ownerClient.ts': 'test/mcp/mcp.test.ts',
  'src/model/terminal.ts': 'test/terminals/terminalProgram.test.ts',
  'src/model/requests/terminals.ts': 'test/scenarios/terminals.test.ts',
  'src/requests/terminals.ts': 'test/scenarios/terminals.test.ts',
  'src/server/socketRoom.ts': 'test/server/server.test.ts',
  'src/terminals/pty.ts': 'test/terminals/terminalProgram.test.ts',
  'src/terminals/terminalClient.ts': 'test/terminals/terminalProgram.test.ts',
  'src/terminals/terminalHost.ts': 'test/terminals/terminalProgram.test.ts',
  'src/terminals/terminalServer.ts': 'test/terminals/terminalProgram.test.ts',
  'src/ui/terminals/openTerminals.ts': 'test/editor/terminals.test.ts',
  'src/ui/terminals/ravelTerminal.ts': 'test/editor/terminals.test.ts',
  'src/ui/terminals/terminalLinkProvider.ts': 'test/editor/terminals.test.ts',
  'src/ui/terminals/terminalsPart.ts': 'test/editor/terminals.test.ts',
  'src/harness/adapters.ts': 'test/harness/scripted.test.ts',
  'src/harness/claudeProgram.ts': 'test/harness/claudeCode.test.ts',
  'src/harness/hostRecord.ts': 'test/harness/adopt.test.ts',
  'src/harness/runningSession.ts': 'test/harness/host.test.ts',
  'src/harness/recordedClaudeCode.ts': 'test/harness/recorded.test.ts',
  'src/model/planSchemas.ts': 'test/gates/schema.test.ts',
  // A thread and who starts it are tried together.
  'src/vault/scanThread.ts': 'test/vault/vaultScanner.test.ts',
  'src/vault/scanWorker.ts': 'test/vault/vaultScanner.test.ts',
  // What is noticed is noticed by the whole watch.
  'src/vault/vaultChanges.ts': 'test/vault/vaultWatch.test.ts',
  'src/vault/vaultSnapshot.ts': 'test/vault/vaultWatch.test.ts',
  'src/vault/watchedFolders.ts': 'test/vault/vaultWatch.test.ts',
  // What runs a whole phase is tried by whole phases.
  'src/plans/commits/codePhase.ts': 'test/scenarios/badGit.test.ts',
  'src/plans/sessions/context.ts': 'test/real/context.test.ts',
  'src/plans/phases/cycle.ts': 'test/scenarios/cycle.test.ts',
  'src/plans/phases/cycleRun.ts': 'test/scenarios/pausedRun.test.ts',
  'src/plans/sessions/earlierTry.ts': 'test/scenarios/byHand.test.ts',
  'src/plans/phases/handRuns.ts': 'test/scenarios/byHand.test.ts',
  'src/plans/sessions/personSession.ts': 'test/scenarios/byHand.test.ts',
  'src/plans/sessions/liveSessions.ts': 'test/scenarios/badSession.test.ts',
  'src/plans/phases/phaseEnd.ts': 'test/scenarios/badSession.test.ts',
  'src/plans/phases/phaseRunner.ts': 'test/scenarios/cycle.test.ts',
  'src/plans/phases/recovery.ts': 'test/crash',
  'src/plans/phases/retry.ts': 'test/scenarios/badSession.test.ts',
  'src/plans/services.ts': 'test/plans',
  'src/plans/phases/updateRunState.ts': 'test/plans',
  'src/plans/verbs/planRecords.ts': 'test/plans/verbs',
  'src/model/requests/approvals.ts': 'test/model/protocol.test.ts',
  // What decides is tried by whole decisions, from a person's side.
  'src/plans/effects/approvalDesk.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/phases/askFirst.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/commits/commitQuestion.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/effects.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/commitQuestions.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/dismissed.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/mergeConflict.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/needsInput.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/proposalOf.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/repositoryHooks.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/toolRequest.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/effects/unattributedChange.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/proposals/plannedMerge.ts': 'test/plans/proposals/applyPhase.test.ts',
  'src/plans/phases/preWork.ts': 'test/scenarios/approvals.test.ts',
  'src/plans/approvals/question.ts': 'test/scenarios/approvals.test.ts',
  'src/requests/approvals.ts': 'test/scenarios/approvals.test.ts',
  'src/model/requests/archives.ts': 'test/model/protocol.test.ts',
  // What a move is made of is tried by whole moves, stopped at each change of the disk.
  'src/plans/housekeeping/holdStill.ts': 'test/plans/housekeeping/relocations.test.ts',
  'src/vault/archive.ts': 'test/plans/housekeeping/relocations.test.ts',
  'src/vault/moveJournal.ts': 'test/plans/housekeeping/relocations.test.ts',
  'src/vault/moveSteps.ts': 'test/plans/housekeeping/relocations.test.ts',
  'src/vault/references.ts': 'test/plans/housekeeping/relocations.test.ts',
  'src/model/requests/experts.ts': 'test/model/protocol.test.ts',
  'src/model/rule.ts': 'test/vault/ruleStore.test.ts',
  'src/requests/experts.ts': 'test/scenarios/vault.test.ts',
  'src/vault/projectLinks.ts': 'test/vault/adoption.test.ts',
  'src/plans/housekeeping/catalogWriter.ts': 'test/scenarios/vault.test.ts',
  'src/requests/archives.ts': 'test/scenarios/vault.test.ts',
  // The doctor is tried on vaults with one thing wrong each.
  'src/model/requests/doctor.ts': 'test/plans/doctor/doctor.test.ts',
  'src/plans/doctor/harnessChecks.ts': 'test/plans/doctor/doctor.test.ts',
  'src/plans/doctor/machineChecks.ts': 'test/plans/doctor/doctor.test.ts',
  'src/plans/doctor/planChecks.ts': 'test/plans/doctor/doctor.test.ts',
  'src/plans/doctor/vaultChecks.ts': 'test/plans/doctor/doctor.test.ts',
  'src/requests/doctor.ts': 'test/plans/doctor/doctor.test.ts',
  'src/cli/render/doctor.ts': 'test/cli/commands/doctor.test.ts',
  // What is drafted is looked at whole.
  'src/vault/imports/draft.ts': 'test/vault/imports/draftPlan.test.ts',
  'src/vault/imports/draftRecords.ts': 'test/vault/imports/draftPlan.test.ts',
  'src/vault/yamlEntry.ts': 'test/vault/yamlSplice.test.ts',
};

describe('the house rules', () => {
  test.each<[string, string[]]>([
    ['imports go downhill', houseRules.importsGoDownhill(code)],
    ['the outside world has one door', houseRules.outsideWorldHasOneDoor(code)],
    ['no circle of imports', houseRules.noCycles(code)],
    ['modules hold no state', houseRules.modulesHoldNoState(code)],
    ['nothing is exported twice', houseRules.noReExports(code)],
    ['nothing is left unfinished', houseRules.nothingIsLeftUnfinished([...code, ...tests, ...prompts, ...papers])],
    ['no test is left out, no module replaced', houseRules.noTestIsLeftOut(tests)],
    ['no path of one machine', houseRules.noMachinePaths([...code, ...tests, ...prompts, ...papers])],
  ])('%s', (_name, violations) => expect(violations).toEqual([]));
});

describe('tables', () => {
  const literals = new Map([...src, ...tests].map(({ path, text }) => [path, stringsOf(text)]));

  test('every error code in use stands in the table', () => {
    const written = src.flatMap(({ path, text }) =>
      [...text.matchAll(/\bcode: '([a-z]+\/[a-zA-Z]+)'/g)].map(([, code = '']) => ({ path, code })),
    );
    expect(written.filter(({ code }) => !Object.hasOwn(codes, code))).toEqual([]);
  });

  test('every error code of the table is in use', () => {
    const used = new Set([...literals].flatMap(([path, strings]) => (path === 'src/model/codes.ts' ? [] : strings)));
    expect(Object.keys(codes).filter((code) => !used.has(code))).toEqual([]);
  });

  test('every harness that settings know has a file, and the table names it', () => {
    const table = src.find(({ path }) => path === 'src/harness/adapters.ts')?.text ?? '';
    for (const name of harnessNames) expect(table).toMatch(new RegExp(`'?${name}'?:`));
  });

  test('the protocol page names every request and every event', () => {
    const page = papers.find(({ path }) => path === 'docs/protocol.md')?.text;
    if (page === undefined) return;
    const names = [...Object.keys(requestSchemas), ...Object.keys(eventDescriptions)];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('tests', () => {
  const present = new Set(tests.map(({ path }) => path));

  test('every source file with something to run has a test file', () => {
    const untested = src.filter(({ path, text }) => {
      const mirror = path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
      return hasCode(text) && !present.has(mirror) && !Object.hasOwn(coveredBy, path);
    });
    expect(untested.map(({ path }) => path)).toEqual([]);
  });

  test.each(Object.entries(coveredBy))('%s is there, and so is %s', (source, covering) => {
    expect(src.map(({ path }) => path)).toContain(source);
    expect([...present].filter((path) => path === covering || path.startsWith(`${covering}/`))).not.toEqual([]);
  });

  test.each(gateNames)('the gate %s has a file and a test file', (name) => {
    expect(src.map(({ path }) => path)).toContain(`src/gates/${name}.ts`);
    expect(present).toContain(`test/gates/${name}.test.ts`);
  });
});

describe('prompts', () => {
  const textOf = (name: string) => prompts.find(({ path }) => path === `prompts/${name}.md`)?.text ?? '';

  test.each(reasoningPhases)('%s has a prompt that tells of every tool it has', (phase) => {
    expect(textOf(phase)).not.toBe('');
    expect(unmentionedTools(phase, textOf(phase))).toEqual([]);
  });

  test('name only what exists and what their phase has', () => {
    expect(prompts.flatMap(({ path, text }) => promptProblems(basename(path), text))).toEqual([]);
  });
});

test('sizes, for a reader to look at', () => {
  const byLines = (a: { lines: number }, b: { lines: number }) => b.lines - a.lines;
  const files = code.map(({ path, text }) => ({ name: path, lines: text.split('\n').length - 1 }));
  const functions = code.flatMap(({ path, text }) =>
    functionSizes(text).map(({ name, lines }) => ({ name: `${path} ${name}`, lines })),
  );
  for (const sizes of [files, functions]) {
    const largest = sizes.sort(byLines).slice(0, 3);
    console.log(largest.map(({ name, lines }) => `${String(lines).padStart(4)}  ${name}`).join('\n'));
    expect(largest.length).toBeGreaterThan(0);
  }
});

function readTree(directory: string, wanted: RegExp, unwanted = /(?:^|\/)node_modules\//): SourceFile[] {
  const at = join(root, directory);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: directory !== '.', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) =>
        `${directory}${join(entry.parentPath, entry.name)
          .slice(at.length)
          .replace(/^(?=[^/])/, '/')}`,
    )
    .filter((path) => wanted.test(path) && !unwanted.test(path))
    .map((path) => ({ path: path.replace(/^\.\//, ''), text: readFileSync(join(root, path), 'utf8') }))
    .sort((a, b) => a.path.localeCompare(b.path));
}

function stringsOf(text: string): string[] {
  return [...text.matchAll(/'([a-z]+\/[a-zA-Z]+)'/g)].map(([, string = '']) => string);
}

function hasCode(text: string): boolean {
  return /^(?:export )?(?:async )?(?:function\*?|class|const|abstract class) /m.test(splitLayers(text).code);
}
