import type { BenchParts } from '../../../bench/feature-parts.ts';
import { aboutForecasts } from './forecast.ts';

export const parts: BenchParts = { ai: async () => aboutForecasts() };
