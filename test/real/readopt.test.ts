import { testReadoption } from '../support/readoptTests.ts';

testReadoption('claude-code');
