import type { BenchParts } from '../../../bench/feature-parts.ts';
import { quality } from './quality.ts';

export const parts: BenchParts = { quality };
