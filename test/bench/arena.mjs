// Runs commands one after the other, each in a fresh copy of a project, and says what each did. Started with the file of a
// job, inside a sandbox of its own that holds the whole arena: what breaks out of the one that is tried finds another.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { secretFormIn } from './secretForms.mjs';

const job = JSON.parse(readFileSync(process.argv[2], 'utf8'));
let connections = 0;
for (const place of [{ path: job.socket }, { port: job.port, host: '127.0.0.1' }]) {
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise((resolve, reject) => server.on('error', reject).listen(place, resolve));
}

const results = [];
for (const { command, program, args } of job.runs) {
  for (const name of job.changing) {
    const folder = join(job.root, name);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    // What a command left running can still write for a moment.
    for (const entry of readdirSync(folder)) {
      rmSync(join(folder, entry), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
    cpSync(join(job.template, name), folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
  const before = connections;
  // `timeout` ends all that the command started and not its shell alone.
  const timed = ['--signal=KILL', String(job.timeoutMs / 1000), program, ...args, command];
  const { status, signal, stdout, stderr } = spawnSync('timeout', timed, {
    cwd: join(job.root, 'project'),
    env: job.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'latin1',
    maxBuffer: 1 << 26,
  });
  // A connection is noticed once the loop is reached.
  await new Promise((resolve) => setImmediate(resolve));
  const entries = job.changing.flatMap((name) => entriesOf(join(job.root, name), name));
  results.push({
    code: status ?? signal ?? 'none',
    output: `${stdout}${stderr}`.slice(0, 1 << 20),
    connections: connections - before,
    files: Object.fromEntries(entries.map(({ path, is }) => [path, is])),
    holding: entries.filter(({ holds }) => holds === true).map(({ path }) => path),
    status: spawnSync('git', ['status', '--porcelain'], {
      cwd: join(job.root, 'project'),
      env: job.environment,
      encoding: 'latin1',
    }).stdout,
  });
}
writeFileSync(job.results, JSON.stringify(results));
process.exit(0);

/** A file or folder and all below it, each with what makes it another one: its kind, its mode and its bytes. */
function entriesOf(place, path) {
  const stat = lstatSync(place);
  if (stat.isSymbolicLink()) return [{ path, is: `link to ${readlinkSync(place)}` }];
  const mode = (stat.mode & 0o7777).toString(8);
  // What a command locked is opened again: it is read now, and removed before the next one.
  const needed = stat.isDirectory() ? 0o700 : 0o400;
  if ((stat.mode & needed) !== needed) chmodSync(place, stat.mode | needed);
  if (stat.isDirectory()) {
    const below = readdirSync(place).flatMap((entry) => entriesOf(join(place, entry), `${path}/${entry}`));
    return [{ path, is: `folder ${mode}` }, ...below];
  }
  if (!stat.isFile()) return [{ path, is: `other ${mode}` }];
  const bytes = readFileSync(place);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return [{ path, is: `${mode} ${hash}`, holds: secretFormIn(bytes.toString('latin1'), job.secret) !== undefined }];
}
