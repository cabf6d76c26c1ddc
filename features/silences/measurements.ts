import { gauge, type Measurement } from '#domain/pipeline/measurement.ts';

export const measurements: readonly Measurement[] = [
  gauge('faultline_silences', 'Silences of all tenants that hold now, or are planned', ['state']),
];
