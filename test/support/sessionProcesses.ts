import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses } from '../../src/harness/processTable.ts';

/** Pids of everything that carries a session in its environment: its harness, its tools, what those started. */
export async function processesOfSession(session: string): Promise<number[]> {
  const rows = await createProcesses(nodeDisk).list({ session, variable: 'RAVEL_SESSION' });
  return rows.filter((row) => row.carriesSession).map((row) => row.pid);
}
