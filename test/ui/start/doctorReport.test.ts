import { expect, test } from 'vitest';
import type { Check } from '../../../src/model/requests/doctor.ts';
import { doctorReport } from '../../../src/ui/start/doctorReport.ts';

const checks: readonly Check[] = [
  { check: 'git', severity: 'ok', subject: 'git', message: 'git version 2.47.' },
  {
    check: 'permissions',
    severity: 'error',
    subject: '/v/runtime',
    message: 'Others may enter it.',
    fix: "`chmod 700 '/v/runtime'`",
  },
  { check: 'harness', severity: 'warning', subject: 'claude-code', message: 'No one is logged in.', fix: 'Log in.' },
  {
    check: 'plans',
    severity: 'info',
    subject: 'shop/project-root',
    message: 'work did not finish.',
    fix: '`ravel retry shop/project-root`, or `ravel dismiss shop/project-root`',
  },
];

test('the report lists the worst checks first, with a lens above each fix', () => {
  const { text, lenses } = doctorReport('/v', checks);
  expect(text.split('\n')).toEqual([
    '# Ravel Doctor',
    '',
    'Vault: /v',
    '',
    'Found: 1 to fix, 1 to check.',
    '',
    '## To fix',
    '',
    '- permissions, runtime: Others may enter it.',
    "  - To do: `chmod 700 '/v/runtime'`",
    '',
    '## To check',
    '',
    '- harness, claude-code: No one is logged in.',
    '  - To do: Log in.',
    '',
    '## Worth knowing',
    '',
    '- plans, shop/project-root: work did not finish.',
    '  - To do: “Ravel: Retry Phase”, or “Ravel: Dismiss Phase…”',
    '',
    '## All is well',
    '',
    '- git, git: git version 2.47.',
    '',
  ]);
  expect(lenses.map(({ line, action }) => [line, action.title, action.arguments?.[0]])).toEqual([
    [8, "Type chmod 700 '/v/runtime'", { text: "chmod 700 '/v/runtime'" }],
    [13, 'Connect Claude Code', undefined],
    [18, 'Retry Phase', 'shop/project-root'],
    [18, 'Dismiss Phase…', 'shop/project-root'],
  ]);
});

test('the report of a vault without errors says so', () =>
  expect(doctorReport('/v', checks.slice(0, 1)).text).toContain('This vault has no problems.'));

test('line breaks in texts of others do not break the report', () => {
  const hostile: Check = {
    check: 'plans',
    severity: 'info',
    subject: 'a\nb',
    message: 'x\n# Heading',
    fix: '`one`\n`two`',
  };
  const { text, lenses } = doctorReport('/v', [hostile]);
  expect(text).toContain('- plans, a b: x # Heading\n  - To do: `one` `two`\n');
  expect(lenses).toHaveLength(2);
});
