import { analysisCase, describeCrashes } from './phase.ts';

// Its first part is like a reflection's, of which every change is tried.
describeCrashes('SIGKILL', analysisCase, { oneIn: 2 });
