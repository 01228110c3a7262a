import { testReadoptionDuring } from '../support/readoptTests.ts';

testReadoptionDuring('reflect', 'claude-code');
