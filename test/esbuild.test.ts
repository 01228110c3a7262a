import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { buildCommandLine, buildExtension } from '../esbuild.mjs';
import { commandLinePath } from './support/commandLine.ts';
import { makeTemporaryDirectory } from './support/temporaryDirectory.ts';

const matter = fileURLToPath(new URL('../node_modules/gray-matter/index.js', import.meta.url));

/** Bundles one entry with this text into its own folder. */
async function buildText(text: string): Promise<string> {
  const directory = await makeTemporaryDirectory();
  const entry = join(directory, 'main.ts');
  writeFileSync(entry, text);
  await buildCommandLine({ entry, directory: join(directory, 'dist') });
  return join(directory, 'dist');
}

function programsIn(directory: string): { name: string; text: string }[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => ({ name, text: readFileSync(join(directory, name), 'utf8') }));
}

const evaluates = /\beval\(/;

describe('a bundle', () => {
  test('runs on its own and puts lazy imports into chunks', async () => {
    const built = await buildText(
      `if (process.argv[2] === 'lazy') {\n  const { default: matter } = await import(${JSON.stringify(matter)});\n  console.log(typeof matter);\n} else console.log('hello');\n`,
    );
    const program = join(built, 'ravel.mjs');
    expect(execFileSync(program, { encoding: 'utf8' })).toBe('hello\n');
    expect(execFileSync(program, ['lazy'], { encoding: 'utf8' })).toBe('function\n');
    const withParser = programsIn(built).filter(({ text }) => text.includes('excerpt_separator'));
    expect(withParser.map(({ name }) => name)).toEqual([expect.stringMatching(/^chunks/)]);
  });

  test('does not contain the frontmatter engine that calls eval', async () => {
    expect(readFileSync(matter.replace('index.js', 'lib/engines.js'), 'utf8')).toMatch(evaluates);
    const built = await buildText(`import matter from ${JSON.stringify(matter)};\nconsole.log(matter);\n`);
    expect(programsIn(built).filter(({ text }) => evaluates.test(text))).toEqual([]);
  });

  test('does not contain the validator of JSON schemas that the protocol of session tools brings', async () => {
    const sdk = (file: string) =>
      JSON.stringify(fileURLToPath(import.meta.resolve(`@modelcontextprotocol/sdk/${file}`)));
    const built = await buildText(
      `import { Client } from ${sdk('client/index.js')};\nimport { Server } from ${sdk('server/index.js')};\nconst jsonSchemaValidator = {} as never;\nfor (const Made of [Client, Server]) new Made({ name: 'x', version: '1' }, { jsonSchemaValidator });\nconsole.log('made');\n`,
    );
    expect(execFileSync(join(built, 'ravel.mjs'), { encoding: 'utf8' })).toBe('made\n');
    expect(programsIn(built).filter(({ text }) => text.includes('node_modules/ajv/'))).toEqual([]);
  });

  test('is refused when it imports vscode, naming the importing file', async () => {
    await expect(buildText("import * as vscode from 'vscode';\nconsole.log(vscode);\n")).rejects.toThrow(
      /vscode is imported by .*main\.ts/,
    );
  });

  test('removes files of an earlier bundle when asked to clean', async () => {
    const directory = await makeTemporaryDirectory();
    const entry = join(directory, 'main.ts');
    const chunk = join(directory, 'chunk.ts');
    writeFileSync(chunk, 'export const a = 1;\n');
    writeFileSync(entry, "console.log(await import('./chunk.ts'));\n");
    const dist = join(directory, 'dist');
    await buildCommandLine({ entry, directory: dist });
    writeFileSync(entry, 'console.log(1);\n');
    await buildCommandLine({ entry, directory: dist });
    expect(programsIn(dist)).toHaveLength(2);
    await buildCommandLine({ entry, directory: dist, clean: true });
    expect(programsIn(dist)).toHaveLength(1);
  });
});

test('the command line bundle contains no eval call', () => {
  const programs = programsIn(join(commandLinePath(), '..'));
  expect(programs.filter(({ text }) => evaluates.test(text)).map(({ name }) => name)).toEqual([]);
});

describe('the pages', () => {
  test.each([
    ['elements', /@vscode-elements\/elements\//, /webview-ui-toolkit/],
    ['toolkit', /webview-ui-toolkit/, /@vscode-elements\//],
  ] as const)('have the controls of %s alone when they are built with them', async (controls, chosen, other) => {
    const inputs = new Set<string>();
    await buildExtension({ directory: await makeTemporaryDirectory(), inputs, controls });
    expect([...inputs].some((path) => chosen.test(path))).toBe(true);
    expect([...inputs].filter((path) => other.test(path))).toEqual([]);
  });
});
