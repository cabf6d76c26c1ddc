import type { BenchParts } from '../../../bench/feature-parts.ts';
import { sourceKills } from './source-kills.ts';
import { sourceRuns } from './source-runs.ts';

export const parts: BenchParts = { 'topology-source': sourceRuns, 'topology-kills': sourceKills };
