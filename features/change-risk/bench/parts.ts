import type { BenchParts } from '../../../bench/feature-parts.ts';
import { aboutCis } from './answers.ts';

export const parts: BenchParts = { ai: aboutCis };
