import type { BenchParts } from '../../../bench/feature-parts.ts';
import { webhooks } from './webhooks.ts';

export const parts: BenchParts = { webhooks };
