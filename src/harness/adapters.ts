import type { Disk } from '../base/disk.ts';
import type { HarnessName } from '../model/harnesses.ts';
import type { ProgramStart } from '../model/programStart.ts';
import type { HarnessAdapter } from './adapter.ts';
import { createClaudeCodeAdapter } from './claudeCode.ts';
import { createScriptedAdapter } from './scripted.ts';

export interface AdapterOptions {
  readonly disk: Disk;
  /** How to start this program's own command line again. */
  readonly entry: ProgramStart;
}

/** Every harness that ships; one that is missing does not compile. */
export function createAdapters({ disk, entry }: AdapterOptions): Readonly<Record<HarnessName, HarnessAdapter>> {
  return {
    'claude-code': createClaudeCodeAdapter(disk),
    scripted: createScriptedAdapter(entry),
  };
}
