import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isLoopback, postJson } from '../../src/base/http.ts';

async function addressOf(server: Server): Promise<URL> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

async function serve(answer: string, status = 200): Promise<URL> {
  const server = createServer((_request, response) => response.writeHead(status).end(answer));
  return addressOf(server);
}

const { signal } = new AbortController();

test('an answer is given whatever its status, and refused if it is too long', async () => {
  const { status, body } = await postJson(await serve('no', 404), {}, { bytesMax: 10, signal });
  expect([status, body.toString()]).toEqual([404, 'no']);
  await expect(postJson(await serve('x'.repeat(11)), {}, { bytesMax: 10, signal })).rejects.toThrow(/longer than 10/);
});

test.each([
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'],
  ['nothing', ''],
  ['half of a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
  ['no whole header', 'HTTP/1.1 200 OK\r\nContent-'],
])('a server that answers with %s is not waited for', async (_what, answer) => {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => (answer.includes('101') ? socket.write(answer) : socket.end(answer)));
  });
  const url = await addressOf(server);
  await expect(postJson(url, {}, { bytesMax: 100, signal })).rejects.toThrow();
});

test('a body that ends with its connection is read whole', async () => {
  const server = createSocketServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${'x'.repeat(100_000)}`));
  });
  const url = await addressOf(server);
  expect((await postJson(url, {}, { bytesMax: 100_000, signal })).body.length).toBe(100_000);
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
