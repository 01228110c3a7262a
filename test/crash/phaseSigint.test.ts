import { describeSignals, reflectCase } from './phase.ts';

describeSignals('SIGINT', reflectCase);
