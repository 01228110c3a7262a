import { describeCrashes, reflectCase } from './phase.ts';

// A file for each signal, so that two workers share them. What SIGKILL leaves is the harder case, and each is tried there.
describeCrashes('SIGTERM', reflectCase, { oneIn: 2 });
