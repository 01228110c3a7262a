import type { Disk } from '../base/disk.ts';
import { systemCode } from '../base/errors.ts';

/** A file of `/proc/<pid>`; empty for a process that ended meanwhile, and for one of another user. */
export async function readProcFile(disk: Disk, pid: number, name: 'stat' | 'environ'): Promise<string> {
  try {
    return (await disk.readFile(`/proc/${pid}/${name}`)).toString('latin1');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return '';
    throw error;
  }
}

/** The fields of a process's line behind its name, from its state on; undefined for a process that is gone. */
export async function readStatFields(disk: Disk, pid: number): Promise<readonly string[] | undefined> {
  const stat = await readProcFile(disk, pid, 'stat');
  // The command's name stands in brackets and may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === '' ? undefined : fields;
}
