// Runs commands one after the other, each in a fresh copy of a project, and says what each did. Started with the file of a
// job, inside a sandbox of its own that holds the whole arena: what breaks out of the one that is tried finds another.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

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
  results.push({
    code: status ?? signal ?? 'none',
    output: `${stdout}${stderr}`.slice(0, 1 << 20),
    connections: connections - before,
    files: Object.fromEntries(job.changing.flatMap((name) => filesOf(join(job.root, name), name))),
    status: spawnSync('git', ['status', '--porcelain'], {
      cwd: join(job.root, 'project'),
      env: job.environment,
      encoding: 'latin1',
    }).stdout,
  });
}
writeFileSync(job.results, JSON.stringify(results));
process.exit(0);

function filesOf(folder, name) {
  return readdirSync(folder).flatMap((entry) => {
    const path = join(folder, entry);
    const below = `${name}/${entry}`;
    const stat = lstatSync(path);
    if (stat.isDirectory()) return [[below, 'folder'], ...filesOf(path, below)];
    if (stat.isSymbolicLink()) return [[below, `link to ${readlinkSync(path)}`]];
    if (!stat.isFile()) return [[below, 'other']];
    return [[below, createHash('sha256').update(readFileSync(path)).digest('hex')]];
  });
}
