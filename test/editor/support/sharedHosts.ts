import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type EditorHost, startEditorHost } from './editorHost.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers `GET /WORKER` with the host of a worker, as JSON. */
    sharedHosts: string;
  }
}

/**
 * Keeps one host of the editor for each worker, for a whole run: a host shows any folder, so a file of tests needs only a
 * folder and a browser of its own. Workers do not share one, because they would change the same person's settings. A
 * host starts when the first file asks for it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const hosts = new Map<string, Promise<EditorHost>>();
  const server = createServer((request, response) => {
    const worker = request.url ?? '/';
    const host = hosts.get(worker) ?? startEditorHost({ fewExtensions: true });
    hosts.set(worker, host);
    host.then(
      ({ address, home, pid }) => response.end(JSON.stringify({ address, home, pid })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('sharedHosts', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    const started = await Promise.allSettled(hosts.values());
    await Promise.all(started.map((host) => (host.status === 'fulfilled' ? host.value.stop() : undefined)));
  };
}
