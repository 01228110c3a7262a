import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the answer; a longer one fails. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Sends JSON to a server and reads its answer, whatever its status; follows no redirection. Rejects if the server cannot
 * be reached, says too much or breaks off, and with the signal's reason. The caller says which hosts may be asked.
 */
export function postJson(url: URL, value: unknown, { headers, bytesMax, signal }: PostOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(JSON.stringify(value));
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const fail = (error: Error) => reject(signal.aborted ? signal.reason : error);
    const all = { 'content-type': 'application/json', 'content-length': body.length, ...headers };
    const breaksOff = () => fail(new Error(`${url.host} broke off before its answer was whole`));
    const request = send(url, { method: 'POST', headers: all, signal, agent: false }, (response) => {
      // From here on the answer itself says how it ends, and a body can end after its connection.
      request.off('close', breaksOff);
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > bytesMax)
          response.destroy(new Error(`the answer of ${url.host} is longer than ${bytesMax} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on('close', breaksOff);
    });
    request.on('error', fail);
    // The only event if a server answers with another protocol.
    request.on('close', breaksOff);
    request.end(body);
  });
}

/** Whether an address is of this machine, by its name alone. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
