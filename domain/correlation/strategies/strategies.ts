import type { Strategy } from '#domain/correlation/strategy.ts';
import { dependency } from './dependency.ts';
import { pattern } from './pattern.ts';
import { service } from './service.ts';
import { temporal } from './temporal.ts';
import { topology } from './topology.ts';

/** All strategies that relate two events; merge waits for all of them. */
export const strategies: readonly Strategy[] = [dependency, temporal, topology, pattern, service];

export const STRATEGY_NAMES: readonly string[] = strategies.map(({ name }) => name);
