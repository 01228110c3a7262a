import { expect, test } from 'vitest';
import { toolExplanationText } from '../../../src/ui/editors/toolExplanationText.ts';

const about = { tool: 'Bash', call: 'Bash ls' };

test('an explanation says the answer, what decided it and why', () => {
  const rule = { layer: 'vault', file: '/v/policy.yaml', line: 3, action: 'deny', text: 'Bash(ls)' } as const;
  expect(toolExplanationText({ ...about, decision: 'deny', gate: 'policy', rule, reason: 'No lists.' })).toBe(
    'Refused: Bash ls · Rule Bash(ls), /v/policy.yaml:3. · No lists.',
  );
  expect(toolExplanationText({ ...about, decision: 'ask', gate: 'command' })).toMatch(
    /^You would be asked: .* Gate command\./,
  );
  expect(toolExplanationText({ ...about, decision: 'allow' })).toContain('No gate has anything against it.');
});
