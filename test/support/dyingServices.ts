import type { Disk } from '../../src/base/disk.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import { LockQueues } from '../../src/vault/lockQueues.ts';
import type { Life } from './life.ts';

/** No process of the system has it. */
const deadPid = 2 ** 30;

/** The services of an owner that dies with its life, over a disk; its locks are those of a process that is gone then. */
export function dyingServices(services: PlanServices, disk: Disk, life: Life): PlanServices {
  const self = async () => ({ ...(await services.processes.self()), pid: deadPid });
  return {
    ...services,
    disk: life.disk(disk),
    clock: life.clock(services.clock),
    processes: { ...services.processes, self },
    lockQueues: new LockQueues(),
  };
}
