import { failure } from '../../model/codes.ts';

/** The number that an option gives, from 1 to `max`. Throws `cli/usage` for anything else. */
export function numberFlag(flag: string, text: string, max: number): number {
  const number = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= max) return number;
  throw failure('cli/usage', flag, `${flag} takes a number from 1 to ${max}.`);
}
