import { fileURLToPath } from 'node:url';

/**
 * The file that starts the command line. A person waits for each completion with a finger on the key, so these are
 * answered before the rest is loaded, which takes longer than the answer.
 */
const entryFile = fileURLToPath(import.meta.url);
const [, , command, ...words] = process.argv;

if (command === 'complete') {
  const { printCompletions } = await import('./completion/printCompletions.ts');
  await printCompletions(words, entryFile);
} else {
  const { startProgram } = await import('./main.ts');
  await startProgram(entryFile);
}
