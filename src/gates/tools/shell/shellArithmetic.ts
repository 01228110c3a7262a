import { UnparsableShell } from './shell.ts';
import type { Arithmetic } from './shellTree.ts';

const token =
  /[ \t]+|\d+(?![\w#])|\$\{(?<braced>[A-Za-z_]\w*)\}|\$(?<plain>[A-Za-z_]\w*)|\$\{#[A-Za-z_]\w*\}|\$[?#]|(?:\+\+|--)(?<stepped>[A-Za-z_]\w*)|(?<name>[A-Za-z_]\w*)[ \t]*(?<operator>\+\+|--|(?:<<|>>|[-+*/%&^|])?=(?!=))?|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>!&|^~?:,()]/y;

/** Whole numbers and names that are added, multiplied or compared. */
const plain =
  /^[ \t]*(?:0|[1-9]\d{0,9}|\$?[A-Za-z_]\w*)(?:[ \t]*(?:[-+*]|[<>]=?|[=!]=)[ \t]*(?:0|[1-9]\d{0,9}|\$?[A-Za-z_]\w*))*[ \t]*$/;

/**
 * Bash evaluates the value of a variable in an arithmetic expression as an expression again, and a subscript in it may run
 * commands. So only decimal numbers, operators and plain names are read here; that the names hold numbers is checked where
 * their values are known.
 */
export function parseArithmetic(text: string): Arithmetic {
  const reads: string[] = [];
  const sets: string[] = [];
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) throw new UnparsableShell('its arithmetic holds more than numbers and names');
    const { braced, plain, name, stepped, operator } = found.groups ?? {};
    if (name !== undefined && operator !== undefined) sets.push(name);
    if (stepped !== undefined) sets.push(stepped);
    for (const read of [braced, plain, stepped, operator === '=' ? undefined : name])
      if (read !== undefined) reads.push(read);
    at += found[0].length;
  }
  return { reads, sets, mayFail: !plain.test(text) };
}
