import { expect, test } from 'vitest';
import { maskSecrets } from '../../../src/gates/secrets/maskSecrets.ts';

/** In parts, so that this file holds none. */
const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');

test('each secret of a text is left out and named by what it opens, and the rest stays as it is', () => {
  const masked = maskSecrets(
    `first ${token}, then\npassword = "${['hunter', 'Tr0ub4dor&3x9'].join('2')}" and ${token} end`,
  );
  expect(masked).not.toContain(token);
  expect(masked).not.toContain('Tr0ub4dor');
  expect(masked).toMatch(/^first \[.+ left out\], then\npassword = "\[.+ left out\]" and \[.+ left out\] end$/);
});

test('a text without a secret is the same text', () => {
  const text = 'The queue is `RefundQueue`, see src/refunds/drain.ts.';
  expect(maskSecrets(text)).toBe(text);
});
