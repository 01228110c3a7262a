import { expect, test } from 'vitest';
import { chooseStyle, colourStyle, plainStyle } from '../../../src/cli/render/style.ts';

function check(options: Partial<Parameters<typeof chooseStyle>[0]>, hasColour: boolean): void {
  const style = chooseStyle({ isTty: true, colorFlag: true, environment: {}, ...options });
  expect(style).toBe(hasColour ? colourStyle : plainStyle);
}

test('a terminal has colours', () => check({}, true));
test('a pipe has none', () => check({ isTty: false }, false));
test('--no-color', () => check({ colorFlag: false }, false));
test('NO_COLOR', () => check({ environment: { NO_COLOR: '1' } }, false));
test('an empty NO_COLOR says nothing', () => check({ environment: { NO_COLOR: '' } }, true));
test('a dumb terminal', () => check({ environment: { TERM: 'dumb' } }, false));
test('every emphasis ends what it began', () => {
  const escapeCode = String.fromCharCode(27);
  for (const paint of Object.values(colourStyle)) expect(paint('x').split(escapeCode)).toHaveLength(3);
  for (const paint of Object.values(plainStyle)) expect(paint('x')).toBe('x');
});
