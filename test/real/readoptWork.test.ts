import { testReadoptionDuring } from '../support/readoptTests.ts';

testReadoptionDuring('work', 'claude-code');
