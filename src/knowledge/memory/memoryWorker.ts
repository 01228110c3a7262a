import { offerCalls } from '../../base/offerCalls.ts';
import { OpenMemories } from './openMemories.ts';

/** Reads large memories in a thread that does nothing else. */
offerCalls(new OpenMemories());
