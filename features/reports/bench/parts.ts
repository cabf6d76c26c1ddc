import type { BenchParts } from '../../../bench/feature-parts.ts';
import { reports } from './reports.ts';

export const parts: BenchParts = { reports };
