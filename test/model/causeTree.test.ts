import { expect, test } from 'vitest';
import { causeRows } from '../../src/model/causeTree.ts';
import type { CauseNode } from '../../src/model/requests/causality.ts';

/** `a>b` is a link; the position of a letter in `times` is its time. Returns rows as `depth how id (also …)`. */
function check(links: string, times: string, subject = 'a'): string[] {
  const letters = [...new Set(`${links}${times}`.replaceAll(/[^a-z]/g, ''))].sort();
  const nodes = letters.map((id): CauseNode => {
    const at = times.indexOf(id);
    const time = at === -1 ? {} : { at: `2026-11-22T10:00:0${at}Z` };
    return { key: `message:${id}`, kind: 'message', id, title: id, ...time };
  });
  const linked = links.split(' ').flatMap((link) => {
    const [from, to] = link.split('>');
    return from === undefined || to === undefined
      ? []
      : [{ from: `message:${from}`, to: `message:${to}`, how: `${from}${to}` }];
  });
  const rows = causeRows({ subject: `message:${subject}`, nodes, links: linked, gaps: [] });
  return rows.map(({ node, depth, how, also, isSubject }) => {
    const others = also.map((one) => ` also ${one.how}`).join('');
    return `${'  '.repeat(depth)}${how === undefined ? '' : `${how} `}${node.id}${others}${isSubject ? ' *' : ''}`;
  });
}

test('a chain of causes is indented step by step, the oldest cause first', () => {
  expect(check('a>b b>c', 'abc', 'b')).toEqual(['a', '  ab b *', '    bc c']);
});

test('a node with two causes appears once, below the later cause', () => {
  expect(check('r>d m>d d>t', 'rmdt', 't')).toEqual(['r', 'm', '  md d also rd', '    dt t *']);
  expect(check('r>d m>d d>t', 'mrdt', 't')).toEqual(['m', 'r', '  rd d also md', '    dt t *']);
});

test('several effects of one cause appear below it in time order', () => {
  expect(check('a>b a>c', 'acb')).toEqual(['a *', '  ac c', '  ab b']);
});

test('an effect without a time comes after those that have one', () => {
  expect(check('a>b a>c', 'ac')).toEqual(['a *', '  ac c', '  ab b']);
});

test('a cycle is cut once, and every node still appears', () => {
  expect(check('a>b b>c c>a', 'abc', 'b')).toEqual(['a also ca', '  ab b *', '    bc c']);
});

test('a link to a node that is not shown is left out', () => {
  const nodes: CauseNode[] = [{ key: 'message:a', kind: 'message', id: 'a', title: 'a' }];
  const links = [{ from: 'message:z', to: 'message:a', how: 'led to' }];
  expect(causeRows({ subject: 'message:a', nodes, links, gaps: [] })).toMatchObject([{ depth: 0, also: [] }]);
});
