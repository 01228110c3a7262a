import { ask, refuse } from './objection.ts';
import { judgeRead } from './shellVariables.ts';
import type { Special } from './special.ts';

/** A shell may end what it started itself; other processes are not a session's to control. */
export const judgeKill: Special = ({ rest }) => {
  const end = rest.findIndex(({ text }) => text === '--');
  const targets = rest.filter(
    ({ text, isDynamic }, at) => isDynamic || !text.startsWith('-') || (end >= 0 && at > end),
  );
  if (rest.some(({ text }) => text === '-l')) return undefined;
  if (targets.some(({ text, isDynamic }) => !isDynamic && !/^%\w+$/.test(text)))
    return refuse('kill is refused: processes and the machine are not a session’s to control.');
  return targets.some(({ isDynamic }) => isDynamic) ? ask('Which process would end cannot be known.') : undefined;
};

/** `ps e` shows the environment of other programs. */
export const judgePs: Special = ({ rest }) => {
  const known = /^(?:-[aAfFglmwxjHTu]+|-e|-ef|-eo|-Ao|-o|-p|-C|-U|--no-headers|--forest|--sort=\S*|[\w,%=:.]*)$/;
  const shows = rest.find(
    ({ text, isDynamic }, at) => isDynamic || isEnvironmentOf(text, rest[at - 1]?.text) || !known.test(text),
  );
  return shows === undefined ? undefined : ask(`ps ${shows.text} may show the environment of other programs.`);
};

function isEnvironmentOf(text: string, before = ''): boolean {
  if (/env/i.test(text)) return true;
  if (/^-(?:o|p|C|U|eo|Ao)$/.test(before)) return false;
  return (/^[a-zA-Z]+$/.test(text) && /[eE]/.test(text)) || /^-[a-zA-Z]*E/.test(text);
}

/** `printenv NAME` of variables that are not secret. */
export const judgePrintenv: Special = ({ rest }) => {
  const names = rest.filter(({ text }) => !text.startsWith('-'));
  const isHarmless =
    names.length > 0 && names.every(({ text, isDynamic }) => !isDynamic && judgeRead(text) === undefined);
  return isHarmless ? undefined : ask('printenv shows the environment.');
};
