import { describeCrashes, reflectCase } from './phase.ts';

// An orderly stop like SIGTERM's.
describeCrashes('SIGINT', reflectCase, { oneIn: 4 });
