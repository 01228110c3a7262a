import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type SessionToolsOptions, serveSessionTools } from '../../src/mcp/sessionTools.ts';
import { failure } from '../../src/model/codes.ts';
import { Collector } from '../support/fakeApi.ts';

/** Sends one MCP request and checks its answer. */
async function check(
  method: string,
  params: object,
  request: SessionToolsOptions['request'],
  expected: object,
): Promise<void> {
  const input = new PassThrough();
  const output = new PassThrough();
  const answers = new Collector<object>();
  output.on('data', (chunk: Buffer) => answers.add(JSON.parse(chunk.toString())));
  const identity = { session: 'S1', token: 't' };
  const served = serveSessionTools({ identity, request, newCallId: () => 'C1', version: '1', input, output });
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  expect(await answers.waitFor(1)).toMatchObject([{ id: 1, ...expected }]);
  input.end();
  await served;
}

const refuse: SessionToolsOptions['request'] = async (name) => {
  throw failure('session/badToken', 'S1', `No ${name}.`);
};
const answer: SessionToolsOptions['request'] = async (_name, params) =>
  ({ text: JSON.stringify(params), isError: false }) as never;

test('a refused list of tools is a protocol error', () =>
  check('tools/list', {}, refuse, { error: { message: expect.stringContaining('No session_tools.') } }));
test('a refused call is an answer to the model', () =>
  check('tools/call', { name: 'x' }, refuse, {
    result: { isError: true, content: [{ text: expect.stringContaining('No session_call. Use the token') }] },
  }));
test('a call has the session, its token and its own id', () =>
  check('tools/call', { name: 'x', arguments: { a: 1 } }, answer, {
    result: { content: [{ text: '{"session":"S1","token":"t","call":"C1","tool":"x","args":{"a":1}}' }] },
  }));
test('a call says how its harness names it, if that tells', () =>
  check('tools/call', { name: 'x', _meta: { progressToken: 1, 'claudecode/toolUseId': 'toolu_1' } }, answer, {
    result: {
      content: [{ text: '{"session":"S1","token":"t","call":"C1","tool":"x","args":{},"callId":"toolu_1"}' }],
    },
  }));
test('an unknown method is a protocol error', () => check('prompts/list', {}, answer, { error: { code: -32601 } }));
