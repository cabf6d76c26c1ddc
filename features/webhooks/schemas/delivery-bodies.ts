import { z } from 'zod';
import { SILENCE_STATES } from '#domain/event/silences/silence-rule.ts';
import { DELIVERABLE_KINDS, type DeliveryKind } from '#features/webhooks/rules/webhook.ts';
import { V1CiDetail } from '#schemas/http/cmdb/cmdb.ts';
import { RelationshipBody } from '#schemas/http/cmdb/relationships.ts';
import { EventBody, EventDetail } from '#schemas/http/events/event-view.ts';
import { GroupAnalysis } from '#schemas/http/events/group-view.ts';
import { IsoTime } from '#schemas/http/time.ts';

/** Bodies of deliveries, as long as nothing of them is left out (docs/webhooks.md). */

const event = z.object({ event: EventDetail });
const ci = z.object({ ci: V1CiDetail });
const Incident = GroupAnalysis.extend({
  status: z.enum(['open', 'closed', 'merged']),
  state: z.enum(['open', 'acknowledged', 'resolved']),
  rootCause: EventBody.nullable(),
}).meta({ id: 'Incident' });
const Merged = z
  .object({
    correlationId: z.string(),
    status: z.literal('merged'),
    state: z.literal('resolved'),
    mergedInto: z.string(),
  })
  .meta({ id: 'MergedIncident' });
const correlation = z.object({ correlation: Incident });

/** Those in which reports are made. */
const DELIVERED_REPORT_FORMATS = ['pdf', 'csv', 'json', 'html', 'md'] as const;
export type DeliveredReportFormat = (typeof DELIVERED_REPORT_FORMATS)[number];

const Report = z
  .object({
    report_id: z.string(),
    template: z.string(),
    name: z.string(),
    status: z.string(),
    format: z.enum(DELIVERED_REPORT_FORMATS),
    category: z.string(),
    completed_at: IsoTime,
    expires_at: IsoTime,
    size_bytes: z.int(),
    requested_by: z.string(),
    recipients: z.array(z.string()),
    status_url: z.string(),
    download_url: z.string().optional().meta({ description: 'Download URL of a report that is delivered by webhook' }),
    link_expires_at: IsoTime.optional(),
    summary: z.array(z.string()).optional().meta({ description: 'Sentences of a report that is delivered by webhook' }),
    content: z
      .string()
      .optional()
      .meta({ description: 'The report itself, if it is delivered by webhook as md with at most 12,000 bytes' }),
  })
  .meta({ id: 'CompletedReport' });

const silence = z.object({
  silence: z
    .looseObject({
      id: z.string(),
      state: z.enum(SILENCE_STATES),
      matches: z.string().meta({ description: 'The matcher in words' }),
      startsAt: IsoTime,
      endsAt: IsoTime,
      reason: z.string(),
    })
    .meta({ id: 'ToldSilence' }),
});

const DATA: Readonly<Record<DeliveryKind, z.ZodType>> = {
  'ci.created': ci,
  'ci.updated': ci,
  'ci.deleted': ci,
  'relationship.created': z.object({ relationship: RelationshipBody }),
  'event.created': event,
  'event.status_changed': event.extend({ previous_status: z.string() }),
  'event.ungrouped': event,
  'event.ungrouped_resolved': event,
  'correlation.created': correlation,
  'correlation.updated': correlation,
  'correlation.resolved': z.object({ correlation: z.union([Incident, Merged]) }),
  'correlation.escalated': correlation.extend({
    escalation: z
      .object({
        from_team: z.string(),
        to_team: z.string(),
        on_call: z.string().nullable().meta({ description: 'On call in the next team; null: unknown' }),
        after_minutes: z.int().min(1),
      })
      .meta({ id: 'GroupEscalation' }),
  }),
  'report.completed': z.object({ report: Report }),
  'analysis.completed': z.object({
    analysis: z.looseObject({ rootCauseHypothesis: z.string(), recommendedActions: z.array(z.string()) }),
  }),
  'silence.planned': silence,
  'silence.started': silence,
  'silence.ended': silence,
  'webhook.overflow': z.object({
    overflow: z.object({ kind: z.string(), from: IsoTime, to: IsoTime, count: z.int().min(1) }),
  }),
  'webhook.test': z.object({ webhook: z.object({ id: z.string(), name: z.string() }) }),
};

const bodyOf = (kind: DeliveryKind) =>
  z.object({
    event: z.literal(kind),
    timestamp: IsoTime.meta({ description: 'Time of the change' }),
    data: DATA[kind],
    webhook_id: z.string(),
    delivery_id: z.string().meta({ description: 'Same for every attempt' }),
    sequence: z.number().meta({ description: 'Increases with every change to the resource' }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: 'Parts of the data were omitted (maximum body size: 20 KB)' }),
  });

/** Bodies by kind. */
export const DELIVERY_BODIES: ReadonlyMap<DeliveryKind, ReturnType<typeof bodyOf>> = new Map(
  DELIVERABLE_KINDS.map((kind) => [kind, bodyOf(kind)]),
);
