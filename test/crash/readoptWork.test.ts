import { testReadoptionDuring } from '../support/readoptTests.ts';

testReadoptionDuring('work', 'scripted', { randomKills: 1 });
