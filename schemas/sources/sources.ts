/** Every monitoring system that may post to `/api/events/webhook/{source}`. */
import { alertmanager } from './alertmanager.ts';
import { azure } from './azure.ts';
import { cloudevents } from './cloudevents.ts';
import { cloudwatch } from './cloudwatch.ts';
import { datadog } from './datadog.ts';
import { gcp } from './gcp.ts';
import { grafana } from './grafana.ts';
import { nagios } from './nagios.ts';
import { otel } from './otel.ts';
import { pagerduty } from './pagerduty.ts';
import type { Source } from './source.ts';
import { zabbix } from './zabbix.ts';

export const sources: readonly Source[] = [
  nagios,
  zabbix,
  alertmanager,
  cloudwatch,
  azure,
  gcp,
  datadog,
  grafana,
  pagerduty,
  cloudevents,
  otel,
];

const byName: ReadonlyMap<string, Source> = new Map(
  sources.flatMap((source) => [source.name, ...source.aliases].map((name) => [name, source] as const)),
);

/** The source that a path segment names, in any case and by any alias. */
export const sourceNamed = (segment: string): Source | undefined => byName.get(segment.trim().toLowerCase());

/** All names that `sourceNamed` knows, canonical names before their aliases. */
export const sourceNames = (): string[] => [...byName.keys()];

/** The name under which events of a source are stored; a name that is no monitor's stays as it is. */
export const canonicalSource = (name: string): string => sourceNamed(name)?.name ?? name;

/** Names under which events of these sources may be stored: webhooks store the canonical one, plain ingest what it was given. */
export const storedSources = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => [name, canonicalSource(name)])),
];
