import { testReadoptionDuring } from '../support/readoptTests.ts';

// Every moment of a reflection is tried in `reflection.test.ts`, where the owner lives in the test.
testReadoptionDuring('reflect', 'scripted', { randomKills: 1 });
