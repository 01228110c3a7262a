import { analysisCase, describeSignals } from './phase.ts';

describeSignals('SIGKILL', analysisCase);
