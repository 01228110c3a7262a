import { describeCrashes, reflectCase } from './phase.ts';

// A file for each signal, so that two workers share them.
describeCrashes('SIGTERM', reflectCase);
