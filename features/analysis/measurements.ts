import { counter, histogram, type Measurement } from '#domain/pipeline/measurement.ts';

/** No analysis starts within two seconds; analyses deferred by a storm may need hours. */
const ANALYSIS_SECONDS = [2, 2.5, 3, 4, 5, 10, 30, 60, 600, 3600, 86400];

export const measurements: readonly Measurement[] = [
  counter('faultline_analyses_total', 'Analyzed events and groups, by author of the text', ['by'], {
    by: ['rules', 'model'],
  }),
  histogram('faultline_analysis_seconds', 'From the creation of an event to its first analysis', [], ANALYSIS_SECONDS),
  counter('faultline_analyses_unworded_total', 'Analyses dropped from the full model queue', []),
  counter('faultline_analyses_skipped_total', 'New events analyzed only on demand, by reason', ['reason'], {
    reason: ['info', 'usual', 'ended'],
  }),
  counter('faultline_analyses_put_off_total', 'Events whose analysis was deferred during an event storm', []),
];
