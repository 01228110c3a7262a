import { describeSignals, reflectCase } from './phase.ts';

describeSignals('SIGKILL', reflectCase);
