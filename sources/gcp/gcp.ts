/** Google Cloud Monitoring: webhook notification channels (version 1.2), also pushed through Pub/Sub. */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { hostAddressAmong } from '../kit/hosts.ts';
import { type About, type AlertReading, bodiesOf, change, ignore, open, readEach, unknownState } from '../kit/items.ts';
import { belongingOf, mergeLabels } from '../kit/labels.ts';
import { rate, type SeverityTable } from '../kit/severity.ts';
import { fields, inner, labels, text, time } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource } from '../kit/source.ts';
import { base64Text, first, joined, parsedJson } from '../kit/text.ts';
import { card } from './card.ts';

const NAME = 'gcp';

const SEVERITIES: SeverityTable = {
  critical: 'critical',
  error: 'major',
  warning: 'warning',
  'no severity': 'warning',
  unspecified: 'warning',
};
const SCALE = { source: NAME, table: SEVERITIES, fallback: 'warning' as const };

const shape = z.object({
  version: text,
  incident: inner({
    ...fields(text, 'incident_id state severity summary url scoping_project_id'),
    started_at: time,
    ended_at: time,
    resource: inner({ type: text, labels }),
    ...fields(text, 'resource_id resource_name resource_display_name resource_type_display_name'),
    metric: inner({ type: text, displayName: text, labels }),
    metadata: inner({ system_labels: labels, user_labels: labels }),
    policy_name: text,
    policy_user_labels: labels,
    condition_name: text,
    // Plain text in older versions.
    documentation: z.preprocess(
      (value) => (typeof value === 'string' ? { content: value } : value),
      inner({ content: text, subject: text }),
    ),
    observed_value: text,
    threshold_value: text,
  }),
});
type GcpIncident = z.output<typeof shape>['incident'];

const MACHINES = /^(?:gce_instance|aws_ec2_instance|k8s_node|baremetalsolution.*|.*\/(?:Instance|Node|Vm))$/;

function placeOfIncident(incident: GcpIncident) {
  const { resource, metric, metadata } = incident;
  const isMachine = MACHINES.test(resource.type ?? '');
  const system = metadata.system_labels.byName;
  return hostAddressAmong([
    metric.labels.byName.get('instance_name'),
    isMachine ? first(system.get('name'), system.get('node_name'), incident.resource_display_name) : undefined,
    resource.labels.byName.get('host'),
    resource.labels.byName.get('node_name'),
    resource.labels.byName.get('node_id'),
    isMachine ? resource.labels.byName.get('instance_id') : undefined,
    // Versions 1.0 and 1.1 contain no more of the resource; in later ones the project precedes the name.
    resource.type === undefined && !incident.resource_name?.includes(' ') ? incident.resource_name : undefined,
  ]);
}

/** The brackets in the subject of the mail are left out; they hold the state. */
const titleOf = (incident: GcpIncident): string | undefined =>
  first(
    incident.policy_name === incident.condition_name
      ? incident.policy_name
      : joined([incident.policy_name, incident.condition_name], ': '),
    incident.documentation.subject?.replace(/^\[[^\]]{0,60}\]\s*/, ''),
    incident.summary,
  );

/** Pub/Sub wraps the same body in base64. */
function unwrapped(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const data = isRecord(item.message) && typeof item.message.data === 'string' ? item.message.data : undefined;
  const body = data === undefined ? item : parsedJson(base64Text(data) ?? '');
  if (!isRecord(body) || !isRecord(body.incident))
    throw invalid('incident', 'expected the incident from a Google Cloud webhook notification');
  return body;
}

function read(
  item: Readonly<Record<string, unknown>>,
  { receivedAt }: Delivered,
  settings: InboundSettings,
): MonitorAction {
  const { incident, version } = shape.parse(unwrapped(item));
  if (incident.incident_id === undefined) throw invalid('incident.incident_id', 'expected the incident ID');
  const about = { source: NAME, sourceId: incident.incident_id };
  if (version === 'test') return ignore(about.sourceId, 'notification channel test');
  const state = (incident.state ?? 'open').toLowerCase();
  if (state === 'closed')
    return change('resolve', about, { at: incident.ended_at, notes: incident.summary }, receivedAt);
  const told = problemOf(incident, about, item, settings);
  if (state === 'acknowledged') return change('acknowledge', about, {}, receivedAt, told);
  return state === 'open' ? open(told, receivedAt) : unknownState(told, state, receivedAt);
}

function problemOf(incident: GcpIncident, about: About, item: unknown, settings: InboundSettings): AlertReading {
  const { resource, metric } = incident;
  const owned = mergeLabels(incident.policy_user_labels, incident.metadata.user_labels, resource.labels, metric.labels);
  return {
    ...about,
    rated: rate(SCALE, incident.severity, settings),
    title: titleOf(incident),
    description: joined([incident.summary, incident.documentation.content], '\n'),
    time: incident.started_at,
    ongoing: true,
    place: placeOfIncident(incident),
    belonging: belongingOf(owned),
    ciHints: [
      // Pods of one workload may share the display name.
      resource.labels.byName.get('pod_name'),
      incident.resource_display_name,
      ...['instance_id', 'database_id', 'cluster_name', 'service_name', 'function_name'].map((name) =>
        resource.labels.byName.get(name),
      ),
      incident.resource_id,
      incident.resource_name,
    ],
    tags: owned.tags,
    details: {
      url: incident.url,
      project: incident.scoping_project_id,
      policy: incident.policy_name,
      condition: incident.condition_name,
      resourceType: resource.type,
      resourceName: incident.resource_name,
      metric: metric.type,
      observedValue: incident.observed_value,
      thresholdValue: incident.threshold_value,
    },
    raw: item,
  };
}

export const gcp: MonitorSource = {
  name: NAME,
  aliases: [],
  title: 'Google Cloud Monitoring',
  read: (delivered, settings) => ({
    items: readEach(bodiesOf(delivered.body, 'an object with incident'), (item) => read(item, delivered, settings)),
  }),
  card,
};
