import type { BenchParts } from '../../../bench/feature-parts.ts';
import { infrastructure } from './infrastructure.ts';
import { servicesFound } from './services.ts';

export const parts: BenchParts = { infrastructure, ai: async ({ scale, progress }) => servicesFound(scale, progress) };
