import { gauge, type Measurement } from '#domain/pipeline/measurement.ts';

export const measurements: readonly Measurement[] = [
  gauge('faultline_silences', 'Active and planned silences, all tenants', ['state']),
];
