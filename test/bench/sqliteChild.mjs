import { fileURLToPath } from 'node:url';

/** Keeps messages in SQLite, in a process of a Node that has it: `fork(sqliteChild, [databaseFile])`. */
export const sqliteChild = fileURLToPath(import.meta.url);

if (process.argv[1] === sqliteChild) await serve(process.argv[2]);

/** Says `ready`, and for each `{ message, messages, inFlight }` how many milliseconds it took to make them durable. */
async function serve(file) {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE mailbox (seq INTEGER PRIMARY KEY, message TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO mailbox (message) VALUES (?)');
  process.on('message', ({ message, messages, inFlight }) => {
    const start = performance.now();
    for (let seq = 1; seq <= messages; seq += inFlight) {
      database.exec('BEGIN');
      for (let n = 0; n < inFlight; n++) insert.run(JSON.stringify({ ...message, seq: seq + n }));
      database.exec('COMMIT');
    }
    process.send({ ms: performance.now() - start });
  });
  process.send('ready');
}
