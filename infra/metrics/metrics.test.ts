import { describe, expect, test } from '@jest/globals';
import { openMetrics } from './metrics.ts';
import { MEASUREMENTS } from './table.ts';

const build = { version: '1.2.3', mode: 'embedded', node: 'n1' };

describe('metrics', () => {
  test('are shown in the text format, with the process and the build', async () => {
    const { metrics, text } = openMetrics(build);
    metrics.count('faultline_events_ingested_total', { source: 'zabbix', outcome: 'created' }, 3);
    metrics.gauge('faultline_processor_lag', { processor: 'dedup' }, 7);
    metrics.observe('faultline_batch_records', {}, 3);
    const shown = await text();
    expect(shown).toContain('faultline_events_ingested_total{source="zabbix",outcome="created"} 3');
    expect(shown).toContain('faultline_processor_lag{processor="dedup"} 7');
    expect(shown).toContain('faultline_batch_records_bucket{le="5"} 1');
    expect(shown).toContain('faultline_batch_records_bucket{le="2"} 0');
    expect(shown).toContain('faultline_build_info{version="1.2.3",mode="embedded",node="n1"} 1');
    expect(shown).toContain('process_cpu_seconds_total');
  });

  test('what a processor did is shown in the process, too', async () => {
    const { metrics, tallies } = openMetrics(build, { processor: ['dedup', 'enrich'] });
    metrics.count('faultline_processor_records_total', { processor: 'dedup', direction: 'in' }, 30);
    metrics.count('faultline_processor_records_total', { processor: 'dedup', direction: 'out' }, 20);
    metrics.count('faultline_processor_errors_total', { processor: 'dedup' });
    metrics.observe('faultline_processor_step_seconds', { processor: 'dedup' }, 0.25);
    metrics.observe('faultline_processor_step_seconds', { processor: 'dedup' }, 20);
    const found = await tallies.processors();
    expect(found.get('dedup')).toEqual({ read: 30, emitted: 20, errors: 1, batches: 2, seconds: 20.25 });
    expect(found.get('enrich')).toEqual({ read: 0, emitted: 0, errors: 0, batches: 0, seconds: 0 });
  });

  test('two registries are apart', async () => {
    const [a, b] = [openMetrics(build), openMetrics(build)];
    a.metrics.count('faultline_duplicates_total');
    expect(await a.text()).toContain('faultline_duplicates_total 1');
    expect(await b.text()).toContain('faultline_duplicates_total 0');
  });

  test('every counter is 0 for every value of its labels before the first case', async () => {
    const shown = await openMetrics(build, { processor: ['dedup', 'store'], name: ['tidy-records'] }).text();
    expect(shown).toContain('faultline_rejected_total{processor="store"} 0');
    expect(shown).toContain('faultline_webhook_rejected_total{source="grafana"} 0');
    expect(shown).toContain('faultline_job_runs_total{name="tidy-records",outcome="failed"} 0');
    for (const { name, kind } of MEASUREMENTS)
      if (kind === 'counter') expect(shown).toMatch(new RegExp(`^${name}(\\{.*\\})? 0$`, 'm'));
  });

  test('only counters end in _total', async () => {
    const shown = await openMetrics(build).text();
    const kinds = [...shown.matchAll(/^# TYPE (\w+_total) (\w+)$/gm)].map(([, , kind]) => kind);
    expect(new Set(kinds)).toEqual(new Set(['counter']));
  });

  test('a name outside the table throws, and so does one of another kind', () => {
    const { metrics } = openMetrics(build);
    expect(() => metrics.count('faultline_typo_total')).toThrow('faultline_typo_total');
    expect(() => metrics.count('faultline_processor_lag')).toThrow('faultline_processor_lag');
  });

  test('a label outside the table throws', () => {
    const { metrics } = openMetrics(build);
    expect(() => metrics.count('faultline_rejected_total', { tenant: 'a' })).toThrow();
  });

  test('names are unique, and histograms say their buckets', () => {
    expect(new Set(MEASUREMENTS.map((one) => one.name)).size).toBe(MEASUREMENTS.length);
    for (const one of MEASUREMENTS) expect((one.buckets?.length ?? 0) > 0).toBe(one.kind === 'histogram');
  });
});
