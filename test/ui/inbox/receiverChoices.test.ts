import { expect, test } from 'vitest';
import { receiverChoices } from '../../../src/ui/inbox/receiverChoices.ts';
import { buildOutline, emptyOutline } from '../../../src/ui/planOutline.ts';
import { id } from '../../support/fakeModel.ts';

const outline = buildOutline(
  [
    { plan: id('web'), description: 'Shows pages' },
    { plan: id('shop'), description: 'Sells $(things)' },
  ] as never,
  emptyOutline,
);
const experts = { rows: [{ actor: 'expert:rust', declaration: { description: 'Knows Rust' } } as never] };

test('receiver choices list the candidates first, with their scores', () => {
  const candidates = [{ recipient: id('web'), score: 0.5, parts: { description: 0.4, outcomes: 0.1 } }];
  expect(receiverChoices({ candidates }, { outline, experts })).toEqual([
    {
      label: 'web/project-root',
      description: 'likely: 0.50 · description 0.40 · messages that it kept 0.10',
      detail: 'Shows pages',
      value: 'web/project-root',
    },
    ...[
      { label: 'expert:rust', detail: 'Knows Rust' },
      { label: 'shop/project-root', detail: 'Sells \\$(things)' },
    ].map((row) => ({ ...row, description: '', value: row.label })),
  ]);
});

test.each([undefined, {}, { candidates: 'a' }])('details of %j offer every plan and expert', (details) =>
  expect(receiverChoices(details, { outline, experts }).map(({ value }) => value)).toHaveLength(3),
);
