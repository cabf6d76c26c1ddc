import { counter, histogram, type Measurement } from '#domain/pipeline/measurement.ts';

/** Two seconds pass before any; what a storm left may take hours. */
const ANALYSIS_SECONDS = [2, 2.5, 3, 4, 5, 10, 30, 60, 600, 3600, 86400];

export const measurements: readonly Measurement[] = [
  counter('faultline_analyses_total', 'Analysed events and groups, by author of the text', ['by'], {
    by: ['rules', 'model'],
  }),
  histogram('faultline_analysis_seconds', 'From the creation of an event to its first analysis', [], ANALYSIS_SECONDS),
  counter('faultline_analyses_unworded_total', 'Analyses that left the full queue of the model', []),
  counter('faultline_analyses_put_off_total', 'Events whose analysis waits because of a storm', []),
];
