import { describeSignals, reflectCase } from './phase.ts';

describeSignals('SIGTERM', reflectCase);
