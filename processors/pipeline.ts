import { strategies } from '#domain/correlation/strategies/strategies.ts';
import type { Pipeline } from '#domain/pipeline/processor.ts';
import { correlate } from './correlate.ts';
import { dedup } from './dedup.ts';
import { enrich } from './enrich.ts';
import { merge } from './merge.ts';

/** The whole pipeline in reading order: events.incoming → saved → enriched → hits → changes. */
export const pipeline: Pipeline = [dedup, enrich, ...strategies.map(correlate), merge];
