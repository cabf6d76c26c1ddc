/** Every monitoring system that may post to `/api/events/webhook/{source}`. */
import { alertmanager } from './alertmanager/alertmanager.ts';
import { azure } from './azure/azure.ts';
import { cloudevents } from './cloudevents/cloudevents.ts';
import { cloudwatch } from './cloudwatch/cloudwatch.ts';
import { datadog } from './datadog/datadog.ts';
import { gcp } from './gcp/gcp.ts';
import { grafana } from './grafana/grafana.ts';
import type { MonitorSource } from './kit/source.ts';
import { nagios } from './nagios/nagios.ts';
import { opsgenie } from './opsgenie/opsgenie.ts';
import { otel } from './otel/otel.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import { zabbix } from './zabbix/zabbix.ts';

export const sources: readonly MonitorSource[] = [
  nagios,
  zabbix,
  alertmanager,
  cloudwatch,
  azure,
  gcp,
  datadog,
  grafana,
  pagerduty,
  opsgenie,
  cloudevents,
  otel,
];

const byName: ReadonlyMap<string, MonitorSource> = new Map(
  sources.flatMap((source) => [source.name, ...source.aliases].map((name) => [name, source] as const)),
);

/** The source that a path segment names, in any case and by any alias. */
export const sourceNamed = (segment: string): MonitorSource | undefined => byName.get(segment.trim().toLowerCase());

/** All names that `sourceNamed` knows, canonical names before their aliases. */
export const sourceNames = (): string[] => [...byName.keys()];

/** The name under which events of a source are stored; a name that is no monitor's stays as it is. */
export const canonicalSource = (name: string): string => sourceNamed(name)?.name ?? name;

/**
 * Returns names under which events of these sources may be stored: webhooks store the canonical one, plain ingest the
 * given one.
 */
export const storedSources = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => [name, canonicalSource(name)])),
];
