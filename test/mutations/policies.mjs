/** What the policy says of tools, and how its gate stands among the others. */

const gate = 'src/gates/tools/toolGate.ts';
const policy = 'src/gates/policy/toolPolicy.ts';
const tests = 'test/gates/policy/toolPolicy.test.ts';

/** @type {readonly import('./rules.mjs').Rule[]} */
export const policyRules = [
  {
    id: 'policy-unusable',
    rule: 'Without a policy that can be used every tool is refused.',
    file: gate,
    edits: [['if (policyProblem !== undefined) return', "if (policyProblem === '') return"]],
    test: 'test/plans/sessions/policyInSession.test.ts',
  },
  {
    id: 'policy-gate-throws',
    rule: 'A gate on tools that throws refuses.',
    file: gate,
    edits: [
      [
        "return { outcome: 'reject', reason: `The gate ${name} failed: ${messageOf(error)}.`, retryable: false };",
        "return { outcome: 'accept' };",
      ],
    ],
    test: 'test/gates/tools/gateTable.test.ts',
  },
  {
    id: 'policy-protected',
    rule: 'What a rule allows answers no question about protected files.',
    file: 'src/gates/tools/commandLine.ts',
    edits: [["objection.gate === 'protected' || objection.gate === 'policy'", "objection.gate === 'policy'"]],
    test: tests,
  },
  {
    id: 'policy-widening',
    rule: 'A project or a plan allows nothing.',
    file: policy,
    edits: [["if (action === 'allow' && layer !== 'vault' && texts.length > 0) {", 'if (texts.length < 0) {']],
    test: tests,
  },
  {
    id: 'policy-bare-name',
    rule: 'A rule that forbids a program forbids it under each of its paths.',
    file: policy,
    edits: [['bare === undefined ? [] : book.command(bare, false)', '[]']],
    test: tests,
  },
  {
    id: 'policy-unknown-values',
    rule: 'A rule that forbids matches a command whose unknown values may make it match.',
    file: policy,
    edits: [['command.isOpen && !certain ? ', 'command.isOpen && certain ? ']],
    test: tests,
  },
  {
    id: 'policy-links',
    rule: 'A rule that forbids counts where a link leads as well.',
    file: 'src/gates/policy/pathRules.ts',
    edits: [["needs === 'either' ? first || second === true", "needs === 'either' ? first"]],
    test: tests,
  },
];
