import type { BenchParts } from '../../../bench/feature-parts.ts';
import { aboutSearches } from './searches.ts';

export const parts: BenchParts = { ai: aboutSearches };
