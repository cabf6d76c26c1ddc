import type { EventLog } from '#domain/ports/event-log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Runner } from './runner.ts';

/** Appends are acknowledged after their batch is committed, so `append` waits as `request` does. */
const APPEND_TIMEOUT_MS = 30_000;

export const openEventLog = (runner: Runner, metrics: Pick<Metrics, 'observe' | 'count'>): EventLog => ({
  async append(tenant, records) {
    await runner.submit(tenant, records, APPEND_TIMEOUT_MS);
  },
  async request(tenant, records, { timeoutMs }) {
    const began = performance.now();
    const elapsed = (): number => performance.now() - began;
    try {
      return { done: true, receipts: await runner.submit(tenant, records, timeoutMs) };
    } catch (error) {
      if (elapsed() >= timeoutMs) metrics.count('faultline_receipts_late_total');
      throw error;
    } finally {
      metrics.observe('faultline_receipt_seconds', {}, elapsed() / 1000);
    }
  },
});
