import { expect, test } from 'vitest';
import { formatSettings } from '../../../src/cli/render/settings.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';

test('settings are shown by table, with who set them and where else they can be set', () => {
  const lines = formatSettings(
    {
      settings: [
        { path: 'run.harness', value: 'scripted', from: 'plan-state.md', meaning: 'The program.', inPlan: 'harness' },
        {
          ...{ path: 'limits.session-usd', value: 10, from: 'default', meaning: 'A limit.', flag: '--usd' },
          waiting: { value: 3, because: 'owner' },
        },
        { path: 'harnesses.scripted.scenario', from: 'default', meaning: 'A file.' },
      ],
      isOutdated: true,
      diagnostics: [],
    },
    plainStyle,
    80,
  );
  expect(lines).toEqual([
    '[run]',
    'harness = "scripted"   (plan-state.md)',
    '    The program. (for one plan: harness in plan-state.md)',
    '',
    '[limits]',
    'session-usd = 10',
    '    3 in daemon.toml takes effect once the owner of the vault starts again',
    '    A limit. (for one run: --usd)',
    '',
    '[harnesses.scripted]',
    'scenario = not set',
    '    A file.',
  ]);
});
