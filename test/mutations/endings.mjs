/** How a session with an uncovered call ends, and the question about what others run. */

const run = { file: 'src/plans/sessions/sessionRun.ts', test: 'test/plans/sessions/sessionRun.test.ts' };
const question = {
  file: 'src/plans/commits/programsQuestion.ts',
  test: 'test/plans/commits/programsQuestion.test.ts',
};
const asked = 'test/scenarios/programsChanged.test.ts';
const consultation = { file: 'src/harness/consultations.ts', test: 'test/harness/consultations.test.ts' };

const cycle = { file: 'src/plans/phases/cycle.ts', test: 'test/scenarios/pausedRun.test.ts' };

/** @type {readonly import('./rules.mjs').Rule[]} */
export const endingRules = [
  {
    ...cycle,
    id: 'ending-run-goes-on',
    rule: 'A run whose phase did not finish goes on after the retry.',
    edits: [['!(await isInRun())', 'true']],
  },
  {
    ...cycle,
    id: 'ending-run-stopped',
    rule: 'A run ends with a retry that a person stopped.',
    edits: [['  if (stop.aborted) await forgetRun(services, location.id);\n', '']],
  },
  {
    ...run,
    id: 'ending-killed',
    rule: 'A session with an uncovered call is ended.',
    edits: [["    void endNow(services, harness, 'stopped');\n", '']],
  },
  {
    ...run,
    id: 'ending-told',
    rule: 'An uncovered call is told.',
    edits: [['    report(describeUncovered(gap));\n    void', '    void']],
  },
  {
    ...run,
    id: 'ending-once',
    rule: 'The first uncovered call alone ends a session.',
    edits: [['if (gap === undefined || found !== undefined) return;', 'if (gap === undefined) return;']],
  },
  {
    ...run,
    id: 'ending-outputs',
    rule: 'Every output of a session is held against the verdicts.',
    edits: [['    await watch.take(output);\n', '']],
  },
  {
    ...run,
    id: 'ending-left',
    rule: 'A call that may have run after all keeps a phase from being applied.',
    edits: [['const gap = coverage.left() ?? left ??', 'const gap = left ??']],
  },
  {
    ...run,
    id: 'ending-recorded',
    rule: 'The record of a program is held against the verdicts.',
    edits: [['        end(coverage.take(output));\n', '        coverage.take(output);\n']],
  },
  {
    ...run,
    id: 'ending-recorded-left',
    rule: 'So is a call of the record that may have run after all.',
    edits: [['return { left: coverage.left() ??', 'return { left:']],
  },
  {
    ...run,
    id: 'ending-runs',
    rule: 'Every command is looked for where its sandbox records what runs.',
    edits: [['      end(await runs?.take(output));\n    },', '    },']],
  },
  {
    ...run,
    id: 'ending-runs-left',
    rule: 'So is one that went on behind its call.',
    edits: [['?? left ?? (await runs?.left());', '?? left;']],
  },
  {
    ...run,
    id: 'ending-runs-recorded',
    rule: 'So is a command that the record of a program tells of.',
    edits: [['        end(await runs?.take(output));\n        if', '        if']],
  },
  {
    ...run,
    id: 'ending-runs-recorded-left',
    rule: 'Also one that went on.',
    edits: [['coverage.left() ?? (await runs?.left()) };', 'coverage.left() };']],
  },
  {
    ...run,
    id: 'ending-unrecorded',
    rule: 'Without a record the work is not applied.',
    edits: [['else if (error !== undefined)\n', "else if (error?.message === '')\n"]],
  },
  {
    ...run,
    id: 'ending-undecided',
    rule: 'Of a session that decided nothing, only a call that ran is told.',
    edits: [['if (found !== undefined || (await active.decided()) === undefined) return found;', '']],
  },
  {
    id: 'ending-applied',
    rule: 'Nothing of a session with an uncovered call is applied.',
    file: 'src/plans/phases/phaseEnd.ts',
    edits: [['if (outcome?.uncovered !== undefined) {', "if (outcome?.uncovered?.message === '') {"]],
    test: 'test/scenarios/uncovered.test.ts',
  },
  {
    ...consultation,
    id: 'ending-consultation-rejected',
    rule: 'The answer of a consultation with an uncovered call is not used.',
    edits: [
      [
        "      if (uncovered !== undefined) throw failure('gate/uncovered', actor, describeUncovered(uncovered));\n",
        '',
      ],
    ],
  },
  {
    ...consultation,
    id: 'ending-consultation-killed',
    rule: 'A consultation is ended at its first uncovered call.',
    edits: [['        if (found !== undefined && gap === undefined) giveUp();\n', '']],
  },
  {
    ...consultation,
    id: 'ending-consultation-left',
    rule: 'A call of a consultation that may have run after all is uncovered.',
    edits: [['      gap ??= coverage.left();\n', '']],
  },
  {
    ...question,
    id: 'programs-asked',
    rule: 'A change of what others run is a question.',
    edits: [['if (changed.length === 0) return undefined;', 'if (changed.length >= 0) return undefined;']],
  },
  {
    ...question,
    id: 'programs-vault',
    rule: 'The repository of the vault is compared as well.',
    edits: [['? [project] : [project, vault]', '? [project] : [project]']],
  },
  {
    ...question,
    id: 'programs-baseline',
    rule: 'A session of a second plan does not accept what changed before it.',
    edits: [['baseline?.repositories ?? (await', '(await']],
  },
  {
    ...question,
    id: 'programs-released',
    rule: 'The baseline stays until the last plan has made its commits.',
    edits: [['if (plans.length === 0) await', 'if (plans.length >= 0) await']],
  },
  {
    ...question,
    id: 'programs-seen',
    rule: 'A yes holds for what the person saw.',
    edits: [['if (baseline === undefined || hashOf(now) !== hash) return;', 'if (baseline === undefined) return;']],
  },
  {
    ...question,
    id: 'programs-words',
    rule: 'An allowed write is not asked again only if the file has those words.',
    edits: [['now === `file:${sha256(text)}`', "now !== '' && text !== ''"]],
  },
  {
    ...question,
    id: 'programs-own-grants',
    rule: 'What another plan was allowed counts for that plan alone.',
    edits: [["decision.plan !== plan || decision.decision !== 'accept'", "decision.decision !== 'accept'"]],
  },
  {
    ...question,
    id: 'programs-refused-grants',
    rule: 'What was refused was not allowed.',
    edits: [["decision.plan !== plan || decision.decision !== 'accept'", 'decision.plan !== plan']],
  },
  {
    ...question,
    id: 'programs-places',
    rule: 'An edit that fits two places says nothing about the file.',
    edits: [['was.split(old).length === 2', 'was.split(old).length >= 2']],
  },
  {
    id: 'programs-unreadable',
    rule: 'A baseline that cannot be read accepts nothing.',
    file: 'src/plans/programBaselines.ts',
    edits: [['.data ?? nothing;', '.data;']],
    test: question.test,
  },
  {
    id: 'programs-before-session',
    rule: 'What decides what others run is noted before a session that can write.',
    file: 'src/plans/phases/checkApprovals.ts',
    edits: [['    if (writesByItself(services, start)) await holdPrograms(services, location);\n', '']],
    test: asked,
  },
  {
    id: 'programs-before-phase',
    rule: 'It is compared before the next phase.',
    file: 'src/plans/phases/checkApprovals.ts',
    edits: [['(await programsQuestion(services, location, phase)) ?? (await', '(await']],
    test: asked,
  },
  {
    id: 'programs-before-commits',
    rule: 'It is compared before the commits.',
    file: 'src/plans/commits/codePhase.ts',
    edits: [["  if (changed !== undefined) return { outcome: 'question', question: changed };\n", '']],
    test: asked,
  },
  {
    id: 'programs-after-hooks',
    rule: 'It is compared once more after the commits, whose hooks may have changed it.',
    file: 'src/plans/commits/codePhase.ts',
    edits: [['if ((await programsQuestion(services, location, next)) === undefined) await', 'await']],
    test: asked,
  },
];
