import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Metrics } from '#domain/ports/metrics.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { pipeline } from '#processors/pipeline.ts';
import { jobs, measurements } from '#whole';
import { holdsAt, type Labels, type Scrape, scrapeOf } from './promql.ts';
import { documentText } from './tables.ts';

/* Checks that each rule fires on scrapes of the real registry: never on a fresh server, and on the first case. */

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
}
const { groups } = parse(documentText('infra/deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const TARGET = { job: 'faultline', instance: 'api:8080' };

/** A server that is scraped every `step` seconds from time 0 on. */
class Watched {
  readonly metrics: Metrics;
  readonly scrapes: Scrape[] = [];
  readonly #text: () => Promise<string>;
  readonly #step: number;
  up = true;

  constructor(step: number) {
    const build = { version: '0', mode: 'embedded', node: '0' };
    const known = { processor: [...pipeline.map(({ name }) => name), 'store'], name: jobs.map(({ name }) => name) };
    const opened = openMetrics(build, known, measurements);
    this.metrics = opened.metrics;
    this.#text = opened.text;
    this.#step = step;
  }
  get now(): number {
    return (this.scrapes.length - 1) * this.#step;
  }
  async pass(times: number, meanwhile: (metrics: Metrics) => void = () => {}): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      meanwhile(this.metrics);
      const at = this.scrapes.length * this.#step;
      const { series } = scrapeOf(this.up ? await this.#text() : '', at, TARGET);
      this.scrapes.push({ at, series: new Map([...series, ['up', [{ labels: TARGET, value: this.up ? 1 : 0 }]]]) });
    }
  }
  /** Label sets for which the rule fires now, having held at each scrape of its `for`. */
  firing({ expr, for: held = '0m' }: Rule): Labels[] {
    const holds = holdsAt(expr);
    const since = this.now - Number.parseInt(held, 10) * 60;
    const times = this.scrapes.map(({ at }) => at).filter((at) => at >= since);
    return times.every((at) => holds(this.scrapes, at).length > 0) ? holds(this.scrapes, this.now) : [];
  }
}

interface Case {
  /** Seconds between scrapes. */
  readonly step?: number;
  readonly before?: (server: Watched) => Promise<void>;
  /** Happens before each of `scrapes` scrapes, or once. */
  readonly happens: (metrics: Metrics) => void;
  readonly scrapes?: number;
  readonly down?: true;
  readonly labels?: Labels;
}
const observed =
  (name: string, labels: Labels, value: number): Case['happens'] =>
  (metrics) =>
    metrics.observe(name, labels, value);
const counted =
  (name: string, labels: Labels, by = 1): Case['happens'] =>
  (metrics) =>
    metrics.count(name, labels, by);
const gauged =
  (name: string, labels: Labels, value: number): Case['happens'] =>
  (metrics) =>
    metrics.gauge(name, labels, value);
const answered = (route: string, status: string): Case['happens'] =>
  observed('faultline_http_request_duration_seconds', { route, method: 'POST', status }, 0.1);

/** A case for every rule; those without `scrapes` happen once. */
const CASES: Readonly<Record<string, Case>> = {
  FaultlineDown: { down: true, happens: () => {}, scrapes: 3 },
  FaultlineErrors: {
    happens: (metrics) => {
      answered('/v1/events', '503')(metrics);
      for (let n = 0; n < 50; n += 1) answered('/v1/events', '201')(metrics);
      for (let n = 0; n < 100; n += 1) answered('/livez', '200')(metrics);
    },
    scrapes: 8,
  },
  FaultlineRejects: {
    happens: counted('faultline_rejected_total', { processor: 'dedup' }),
    labels: { processor: 'dedup' },
  },
  FaultlineStepsThrow: {
    happens: counted('faultline_processor_errors_total', { processor: 'merge' }),
    scrapes: 7,
    labels: { processor: 'merge' },
  },
  FaultlineQueueIsDeep: { happens: gauged('faultline_queue_depth', {}, 20_000), scrapes: 4 },
  FaultlineLags: { happens: gauged('faultline_processor_lag', { processor: 'dedup' }, 20_000), scrapes: 7 },
  FaultlineSinksLose: { happens: counted('faultline_outbox_dropped_total', {}, 5) },
  FaultlineGroupingLags: {
    happens: gauged('faultline_partition_waiting_seconds_max', { processor: 'merge' }, 900),
    scrapes: 4,
  },
  FaultlineDeliveriesDie: { happens: counted('faultline_outgoing_attempts_total', { outcome: 'dead' }) },
  FaultlineDeliveriesLag: { happens: gauged('faultline_outgoing_lag_seconds', {}, 900), scrapes: 12 },
  FaultlineProcessorMissing: { happens: gauged('faultline_processor_members', { processor: 'dedup' }, 0), scrapes: 3 },
  FaultlineReceiptsLate: { happens: counted('faultline_receipts_late_total', {}), scrapes: 7 },
  FaultlineLogRejects: { happens: counted('faultline_producer_retries_total', {}, 4), scrapes: 9 },
  FaultlineCommitsSlowly: { happens: observed('faultline_commit_seconds', {}, 4), scrapes: 8 },
  FaultlineCorrelatesLate: { happens: observed('faultline_accepted_to_correlated_seconds', {}, 9), scrapes: 13 },
  FaultlineSenderDrops: {
    happens: counted('faultline_sender_dropped_total', { source: 'zabbix' }, 3),
    labels: { source: 'zabbix' },
  },
  FaultlineRequestsLimited: {
    happens: counted('faultline_requests_limited_total', { class: 'webhook', reason: 'minute' }),
    labels: { class: 'webhook' },
  },
  FaultlineSendersRefused: {
    happens: counted('faultline_credentials_refused_total', { class: 'webhook', reason: 'expired' }),
    labels: { class: 'webhook', reason: 'expired' },
  },
  FaultlineWebhookRejects: {
    happens: counted('faultline_webhook_rejected_total', { source: 'grafana' }),
    labels: { source: 'grafana' },
  },
  FaultlineSourceQuiet: {
    step: 3_600,
    before: (server) =>
      server.pass(24, counted('faultline_events_ingested_total', { source: 'zabbix', outcome: 'created' }, 2)),
    happens: () => {},
    scrapes: 7,
    labels: { source: 'zabbix' },
  },
  FaultlineJobStuck: {
    happens: (metrics) => {
      gauged('faultline_job_last_success_timestamp_seconds', { name: 'tidy-records' }, 60)(metrics);
      gauged('faultline_job_period_seconds', { name: 'tidy-records' }, 60)(metrics);
    },
    scrapes: 67,
    labels: { name: 'tidy-records', ...TARGET },
  },
  FaultlineAiFails: { happens: counted('faultline_ai_requests_total', { outcome: 'timeout' }), scrapes: 40 },
  FaultlineAiBudgetUsed: { happens: counted('faultline_ai_degraded_total', { reason: 'budget' }) },
  FaultlineTokensExpire: { happens: gauged('faultline_tokens', { state: 'expiring' }, 1) },
  FaultlineDiskFills: {
    happens: (metrics) => {
      gauged('faultline_disk_size_bytes', { disk: 'data' }, 1_000)(metrics);
      gauged('faultline_disk_free_bytes', { disk: 'data' }, 90)(metrics);
    },
    scrapes: 7,
    labels: { instance: 'api:8080' },
  },
};

test('every rule has a case', () => expect(rules.map(({ alert }) => alert).sort()).toEqual(Object.keys(CASES).sort()));

test('a fresh server that is used and well fires nothing', async () => {
  const server = new Watched(60);
  await server.pass(20, (metrics) => {
    answered('/api/events/ingest', '201')(metrics);
    answered('/readyz', '503')(metrics);
    counted('faultline_events_ingested_total', { source: 'zabbix', outcome: 'created' })(metrics);
    gauged('faultline_processor_members', { processor: 'dedup' }, 1)(metrics);
    gauged('faultline_tokens', { state: 'expiring' }, 0)(metrics);
    gauged('faultline_disk_size_bytes', { disk: 'data' }, 1_000)(metrics);
    gauged('faultline_disk_free_bytes', { disk: 'data' }, 500)(metrics);
    observed('faultline_commit_seconds', {}, 0.01)(metrics);
    gauged('faultline_job_last_success_timestamp_seconds', { name: 'delete-events' }, 0)(metrics);
    gauged('faultline_job_period_seconds', { name: 'delete-events' }, 3_600)(metrics);
  });
  expect(rules.filter((rule) => server.firing(rule).length > 0).map(({ alert }) => alert)).toEqual([]);
});

describe('fires', () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))('%s', async (alert, rule) => {
    const { step = 60, before, happens, scrapes = 1, down, labels } = CASES[alert]!;
    const server = new Watched(step);
    await server.pass(2);
    await before?.(server);
    expect(server.firing(rule)).toEqual([]);
    server.up = down !== true;
    await server.pass(scrapes, happens);
    const firing = server.firing(rule);
    expect(firing).toHaveLength(1);
    if (labels !== undefined) expect(firing[0]).toEqual(labels);
  });
});

test('a counter that appears with its first case would hide it', () => {
  const at = (value: number, time: number) =>
    scrapeOf(`faultline_rejected_total{processor="x"} ${value}`, time, TARGET);
  const holds = holdsAt('increase(faultline_rejected_total[15m]) > 0');
  expect(holds([scrapeOf('', 0, TARGET), at(1, 60)], 60)).toEqual([]);
  expect(holds([scrapeOf('', 0, TARGET), at(1, 60), at(1, 120)], 120)).toEqual([]);
  expect(holds([at(0, 0), at(1, 60)], 60)).toHaveLength(1);
});
