import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Bundles the suites that run inside the extension host; gives the path of the file that the editor is told of. */
export async function buildHostSuite() {
  const outfile = join(root, 'test-results', 'inHost.cjs');
  await build({
    entryPoints: [join(root, 'test/editor/inHost/index.ts')],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  return outfile;
}
