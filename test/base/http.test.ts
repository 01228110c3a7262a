import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isLoopback, postJson } from '../../src/base/http.ts';

async function serve(answer: string, status = 200): Promise<URL> {
  const server = createServer((_request, response) => response.writeHead(status).end(answer));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const { signal } = new AbortController();

test('an answer is given whatever its status, and refused where it is too long', async () => {
  const { status, body } = await postJson(await serve('no', 404), {}, { bytesMax: 10, signal });
  expect([status, body.toString()]).toEqual([404, 'no']);
  await expect(postJson(await serve('x'.repeat(11)), {}, { bytesMax: 10, signal })).rejects.toThrow(/longer than 10/);
});

test.each([
  ['http://127.0.0.1:1/', true],
  ['http://localhost/', true],
  ['http://[::1]/', true],
  ['http://127.1/', true],
  ['http://127.0.0.1.example.com/', false],
  ['http://localhost.example.com/', false],
  ['http://10.0.0.1/', false],
  ['http://[::]/', false],
  ['http://0.0.0.0/', false],
])('%s is of this machine: %s', (url, expected) => expect(isLoopback(new URL(url))).toBe(expected));
