import { dependency } from './strategies/dependency.ts';
import { pattern } from './strategies/pattern.ts';
import { service } from './strategies/service.ts';
import { temporal } from './strategies/temporal.ts';
import { topology } from './strategies/topology.ts';
import type { Strategy } from './strategy.ts';

/** Every way to see that two events belong together; merge waits for all of them. */
export const strategies: readonly Strategy[] = [dependency, temporal, topology, pattern, service];
