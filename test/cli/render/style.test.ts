import { expect, test } from 'vitest';
import { chooseStyle, colourStyle, plainStyle } from '../../../src/cli/render/style.ts';

function check(options: Partial<Parameters<typeof chooseStyle>[0]>, hasColour: boolean): void {
  const style = chooseStyle({ isTty: true, colorFlag: true, environment: {}, ...options });
  expect(style).toBe(hasColour ? colourStyle : plainStyle);
}

test('a terminal gets colours', () => check({}, true));
test('a pipe gets no colours', () => check({ isTty: false }, false));
test('--no-color turns colours off', () => check({ colorFlag: false }, false));
test('NO_COLOR turns colours off', () => check({ environment: { NO_COLOR: '1' } }, false));
test('an empty NO_COLOR is ignored', () => check({ environment: { NO_COLOR: '' } }, true));
test('TERM=dumb turns colours off', () => check({ environment: { TERM: 'dumb' } }, false));
test('every emphasis resets what it set', () => {
  const escapeCode = String.fromCharCode(27);
  for (const paint of Object.values(colourStyle)) expect(paint('x').split(escapeCode)).toHaveLength(3);
  for (const paint of Object.values(plainStyle)) expect(paint('x')).toBe('x');
});
