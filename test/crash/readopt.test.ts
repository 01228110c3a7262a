import { testReadoption } from '../support/readoptTests.ts';

testReadoption('scripted');
