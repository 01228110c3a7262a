import { expect, test } from 'vitest';
import { causeRows } from '../../src/model/causeTree.ts';
import type { CauseNode } from '../../src/model/requests/causality.ts';

/** `a>b` is a link, and a letter in `times` has that place in time; the rows as `depth how id (also …)`. */
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

test('a chain is a staircase, the oldest cause first', () => {
  expect(check('a>b b>c', 'abc', 'b')).toEqual(['a', '  ab b *', '    bc c']);
});

test('a thing with two causes stands once, below the one that came last', () => {
  expect(check('r>d m>d d>t', 'rmdt', 't')).toEqual(['r', 'm', '  md d also rd', '    dt t *']);
  expect(check('r>d m>d d>t', 'mrdt', 't')).toEqual(['m', 'r', '  rd d also md', '    dt t *']);
});

test('several effects stand below their cause in the order of time', () => {
  expect(check('a>b a>c', 'acb')).toEqual(['a *', '  ac c', '  ab b']);
});

test('what has no time stands behind what has one', () => {
  expect(check('a>b a>c', 'ac')).toEqual(['a *', '  ac c', '  ab b']);
});

test('a circle is cut open once, and nothing is lost', () => {
  expect(check('a>b b>c c>a', 'abc', 'b')).toEqual(['a also ca', '  ab b *', '    bc c']);
});

test('a link to something that is not shown is left out', () => {
  const nodes: CauseNode[] = [{ key: 'message:a', kind: 'message', id: 'a', title: 'a' }];
  const links = [{ from: 'message:z', to: 'message:a', how: 'led to' }];
  expect(causeRows({ subject: 'message:a', nodes, links, gaps: [] })).toMatchObject([{ depth: 0, also: [] }]);
});
