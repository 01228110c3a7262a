import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { listFromProc, listFromPs } from '../../src/harness/terminate.ts';

/** Pids of everything that carries a session in its environment: its harness, its tools, what those started. */
export async function processesOfSession(session: string): Promise<number[]> {
  const rows = process.platform === 'linux' ? await listFromProc(nodeDisk, session) : await listFromPs(session);
  return rows.filter((row) => row.carriesSession).map((row) => row.pid);
}
