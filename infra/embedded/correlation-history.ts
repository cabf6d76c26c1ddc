import type { CorrelationHistory } from '#domain/ports/events/correlation-history.ts';
import type { Reader } from './reader/reader.ts';

/** Read in the reader thread. */
export const openCorrelationHistory = (reader: Reader): CorrelationHistory => ({
  extent: (tenant, from) => reader.run('correlation.extent', { tenant, from }),
  records: (tenant, since) => reader.run('correlation.records', { tenant, ...since }),
  demanded: (tenant, after, limit) => reader.run('correlation.demanded', { tenant, after, limit }),
});
