import { z } from 'zod';
import { DOCUMENT_FORMATS } from '#features/reports/rules/document/document.ts';
import { DELIVERABLE_KINDS, type ToldKind } from '#features/webhooks/rules/webhook.ts';
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

const Report = z
  .object({
    report_id: z.string(),
    template: z.string(),
    name: z.string(),
    status: z.string(),
    format: z.enum(DOCUMENT_FORMATS),
    category: z.string(),
    completed_at: IsoTime,
    expires_at: IsoTime,
    size_bytes: z.int(),
    requested_by: z.string(),
    recipients: z.array(z.string()),
    status_url: z.string(),
    download_url: z.string().optional().meta({ description: 'Of a report that is delivered by webhook' }),
    link_expires_at: IsoTime.optional(),
  })
  .meta({ id: 'CompletedReport' });

const DATA: Readonly<Record<ToldKind, z.ZodType>> = {
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
  'report.completed': z.object({ report: Report }),
  'analysis.completed': z.object({
    analysis: z.looseObject({ rootCauseHypothesis: z.string(), recommendedActions: z.array(z.string()) }),
  }),
  'webhook.overflow': z.object({
    overflow: z.object({ kind: z.string(), from: IsoTime, to: IsoTime, count: z.int().min(1) }),
  }),
  'webhook.test': z.object({ webhook: z.object({ id: z.string(), name: z.string() }) }),
};

const bodyOf = (kind: ToldKind) =>
  z.object({
    event: z.literal(kind),
    timestamp: IsoTime.meta({ description: 'When it happened' }),
    data: DATA[kind],
    webhook_id: z.string(),
    delivery_id: z.string().meta({ description: 'The same at every attempt' }),
    sequence: z.number().meta({ description: 'Grows with every change of the resource' }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: 'Parts of the data were left out: a body has at most 20 KB' }),
  });

/** By kind. */
export const TOLD_BODIES: ReadonlyMap<ToldKind, ReturnType<typeof bodyOf>> = new Map(
  DELIVERABLE_KINDS.map((kind) => [kind, bodyOf(kind)]),
);
