import { runOn } from '#test/setup/test-mode.ts';
import { distributed } from './distributed.ts';

/* Run by Jest before each file of tests: journeys and scenarios open the service on the engines. */
runOn(distributed);
