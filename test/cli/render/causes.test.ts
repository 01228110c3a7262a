import { expect, test } from 'vitest';
import { localTime } from '../../../src/base/localTime.ts';
import { formatCauses } from '../../../src/cli/render/causes.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import type { CauseNode } from '../../../src/model/requests/causality.ts';

const at = '2026-11-22T10:00:00Z';
const nodes: CauseNode[] = [
  { key: 'rule:till', kind: 'rule', id: 'till', title: 'rule till: to shop', at: '2026-11-20T10:00:00Z' },
  { key: 'message:01M', kind: 'message', id: '01M0000001', title: 'message from shop', at, detail: 'x'.repeat(300) },
  { key: 'decision:01M', kind: 'decision', id: '01M0000001', title: 'decision\u001b[31m\nby rules' },
];
const links = [
  { from: 'message:01M', to: 'decision:01M', how: 'was routed by' },
  { from: 'rule:till', to: 'decision:01M', how: 'decided' },
];

test('causes are shown oldest first, with effects indented, the subject marked, and gaps last', () => {
  const lines = formatCauses({ subject: 'decision:01M', nodes, links, gaps: ['It is gone.'] }, plainStyle);
  expect(lines).toEqual([
    `rule till: to shop  ${localTime('2026-11-20T10:00:00Z')}`,
    `message from shop  ${localTime(at)}`,
    `    ${'x'.repeat(159)}…`,
    '    message 01M0000001',
    '  ▶ was routed by decision[31m by rules',
    '      also: "rule till: to shop" decided this',
    '      decision 01M0000001',
    '',
    '? It is gone.',
  ]);
});
