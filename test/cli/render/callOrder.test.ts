import { expect, test } from 'vitest';
import { CallOrder } from '../../../src/cli/render/callOrder.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import { sampleEvent, sampleSession as session } from '../samples.ts';

const output = (kind: object) => sampleEvent({ type: 'session.output', session, seq: 1, output: kind as never });
const started = (tool: string, callId: string) => output({ kind: 'toolStarted', tool, callId, input: {} });
const ended = (callId: string) => output({ kind: 'toolEnded', callId, isError: true, output: 'No.' });
const says = output({ kind: 'text', text: 'Let me see.' });
const verdict = (subject: string, outcome: 'reject' | 'accept' = 'reject') =>
  sampleEvent({ type: 'gate.judged', session, gate: 'toolGate', subject, call: subject, outcome });
const asked = sampleEvent({ type: 'approval.opened', approval: session, kind: 'tool-request', subject: 'curl' });
const over = sampleEvent({ type: 'session.ended', session, end: 'exited', durationMs: 1 });

const [bash, read, bashDenied, readDenied] = [
  started('Bash', '1'),
  started('Read', '2'),
  verdict('Bash'),
  verdict('Read'),
];

test.each<[string, readonly RavelEvent[], readonly RavelEvent[]]>([
  ['a denial that overtook its call is shown after it', [bashDenied, says, bash], [says, bash, bashDenied]],
  ['and so does its question', [bashDenied, asked, says, bash], [says, bash, bashDenied, asked]],
  ['a denial that comes after its call stays there', [bash, bashDenied, asked], [bash, bashDenied, asked]],
  ['a call that has ended is not the one', [bash, ended('1'), bashDenied, over], [bash, ended('1'), bashDenied, over]],
  [
    'each denial stands behind its own call',
    [bashDenied, asked, readDenied, bash, read],
    [bash, bashDenied, asked, read, readDenied],
  ],
  ['a session that ends without the call loses no denial', [bashDenied, over], [bashDenied, over]],
  ['a tool that was allowed is as it comes', [verdict('Bash', 'accept'), bash], [verdict('Bash', 'accept'), bash]],
])('%s', (_name, happened, shown) => {
  const order = new CallOrder();
  expect(happened.flatMap((event) => order.take(event))).toEqual(shown);
  expect(order.rest()).toEqual([]);
});

test('what is held back is there at the end', () => {
  const order = new CallOrder();
  expect(order.take(bashDenied)).toEqual([]);
  expect(order.rest()).toEqual([bashDenied]);
});
