import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Bundles one suite that runs inside the extension host; gives the path of the file that the editor is told of. */
export async function buildHostSuite(name) {
  const outfile = join(root, 'test-results', `inHost-${name}.cjs`);
  await build({
    stdin: {
      contents: `import { runSuite } from './index.ts';\nexport const run = () => runSuite(${JSON.stringify(name)});\n`,
      resolveDir: join(root, 'test/editor/inHost'),
    },
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
