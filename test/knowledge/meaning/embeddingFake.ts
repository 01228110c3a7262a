import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface FakeEmbeddings {
  readonly url: string;
  /** The texts of each request. */
  readonly asked: string[][];
  readonly headers: (string | undefined)[];
}

type Respond = (texts: readonly string[], response: ServerResponse) => void;

/** Texts about money point one way, all others another; an empty text is refused, as some servers do. */
export const byMoney: Respond = (texts, response) => {
  if (texts.some((text) => text.trim() === '')) {
    response.writeHead(400).end('{"error":"empty input"}');
    return;
  }
  const data = texts.map((text, index) => ({
    index,
    embedding: /money|refund|pay/i.test(text) ? [1, 0.1, 0] : [0, 0.1, 1],
  }));
  response.end(JSON.stringify({ data: data.toReversed() }));
};

/** A server on this machine that gives vectors as told. */
export async function startFakeEmbeddings(respond: Respond = byMoney): Promise<FakeEmbeddings> {
  const asked: string[][] = [];
  const headers: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly input: string[] };
      asked.push(input);
      headers.push(request.headers.authorization);
      respond(input, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, headers };
}
