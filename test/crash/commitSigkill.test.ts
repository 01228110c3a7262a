import { analysisCase, describeCrashes } from './phase.ts';

describeCrashes('SIGKILL', analysisCase);
