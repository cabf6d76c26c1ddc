import type { BenchParts } from '../../../bench/feature-parts.ts';
import { silences } from './silences.ts';

export const parts: BenchParts = { silences };
