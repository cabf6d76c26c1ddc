import type { BenchParts } from '../../../bench/feature-parts.ts';
import { aboutQuestions } from './questions.ts';

export const parts: BenchParts = { ai: async () => aboutQuestions() };
