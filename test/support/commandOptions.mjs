import { parseArgs } from 'node:util';

/**
 * The options of a script, as `parseArgs` reads them. For `--help`, and for what a script does not know, it prints how to
 * call it and ends the process.
 *
 * @param {string} usage
 * @param {import('node:util').ParseArgsConfig} config
 */
export function readOptions(usage, config) {
  const { options, ...rest } = config;
  let read;
  try {
    read = parseArgs({ ...rest, options: { ...options, help: { type: 'boolean', default: false } } });
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exit(2);
  }
  if (read.values.help) {
    console.log(usage);
    process.exit(0);
  }
  return read;
}
