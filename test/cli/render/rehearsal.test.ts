import { expect, test } from 'vitest';
import { formatRehearsal } from '../../../src/cli/render/rehearsal.ts';
import { chooseStyle } from '../../../src/cli/render/style.ts';
import { sampleReport } from '../../support/rehearsalReport.ts';

const style = chooseStyle({ isTty: false, colorFlag: false, environment: {} });

test('a rehearsal is shown with all that it would have changed, and its patch only if that is wanted', () => {
  const text = formatRehearsal(sampleReport, { style, columns: 80, patch: false }).join('\n');
  for (const part of [
    '! The rehearsal ended early: the plan would need your answer here.',
    '$0.50 spent',
    ' copied (',
    'status: new → done',
    '- Dry it (b)',
    '+ Paint dries (m)',
    '~ src/a.ts  +1 -1',
    '+ logo.png  no text',
    '  Paint it\n\n      It was grey.\n      · src/a.ts',
    '→ dispatch to bank: It pays',
    '? needs-input: Which colour?',
    '✗ work · tool · Write · Write /etc/x',
    'run/treeShared: Work of another plan is there.',
    'Commands were not confined to the copy',
    'The copy was removed.',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('+two');
  // Commands that were not confined may have changed anything.
  expect(text).not.toContain('Nothing outside');
  const { confinement: _unconfined, ...confined } = sampleReport;
  const apart = formatRehearsal(confined, { style, columns: 80, patch: false }).join('\n');
  expect(apart).toContain('Nothing outside the copy was changed. The copy was removed.');
  const folder = { ...sampleReport, copy: { ...sampleReport.copy, folder: '/tmp/a copy' } };
  const whole = formatRehearsal(folder, { style, columns: 80, patch: true }).join('\n');
  expect(whole).toContain('+two');
  expect(whole).toContain("rm -rf '/tmp/a copy'");
});
