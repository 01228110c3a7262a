import { expect, test } from 'vitest';
import { stemOf } from '../../../src/base/words/stem.ts';

function check(word: string, stem: string) {
  expect(stemOf(word)).toBe(stem);
}

/** From the author's own list of words and their stems, with some words for each step of the algorithm. */
const pairs = `
  as as, sky sky, skies sky, dying die, only onli, evening evening, succeeding succeed, news news, ties tie,
  cries cri, gas gas, this this, gaps gap, kiwis kiwi, misses miss, virus virus, refunds refund, agreed agre,
  feed feed, hopping hop, hoping hope, luxuriated luxuri, adding add, falling fall, sized size, singing sing,
  cry cri, by by, say say, youth youth, enjoyed enjoy, conditional condit, rationally ration, vocation vocat,
  operator oper, feudalism feudal, hopefulness hope, decisiveness decis, formality formal, sensibly sensibl,
  analogous analog, theology theolog, consistency consist, carelessly careless, quickly quick,
  triplicate triplic, electrical electr, goodness good, formative format, negative negat, revival reviv,
  allowance allow, replacement replac, adjustment adjust, dependent depend, adoption adopt,
  communism communism, activate activ, homologous homolog, effective effect, probate probat, rate rate,
  cease ceas, controlling control, roll roll, general general, generate generat, communicate communic,
  arsenal arsenal, organization organiz, university universiti, universal universal, international internat,
  past past, paste paste, later later, emergency emergenc, payments payment, invoices invoic,
  authenticating authent
`;

test.each(
  pairs
    .trim()
    .split(/,\s*/)
    .map((pair) => pair.split(' ') as [string, string]),
)('%s has the stem %s', (word, stem) => check(word, stem));

test.each(['k8s', 'größe', '退', 'OAuth', ''])('%j is its own stem', (word) => check(word, word));
