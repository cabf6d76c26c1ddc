import { z } from 'zod';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { HEALTH_STATUSES, type Health } from '#domain/services/health.ts';
import { MAX_COMPONENTS, type Service } from '#domain/services/service.ts';
import type { HealthDay, ServiceTrend } from '#features/services/rules/past-health.ts';
import { serviceFacts } from '#schemas/http/service-facts.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/** Business services in requests and responses (docs/specification.md §12). */

const text = z.string().trim().min(1).max(255);
const Redundancy = {
  redundancy_group: text.optional().meta({ description: 'Components of one group are redundant' }),
  redundancy_required: z
    .int()
    .min(1)
    .max(MAX_COMPONENTS)
    .optional()
    .meta({ description: 'Number of required components in the group; default 1' }),
};
const NewComponent = z.strictObject({ ci_id: text, role: text.default('component'), ...Redundancy });
const Sla = z.strictObject({
  availability: z.string().max(255).optional(),
  response_time: z.string().max(255).optional(),
});

const fields = {
  name: text,
  description: z.string().max(32_768).default(''),
  criticality: z.enum(CRITICALITIES).default('medium'),
  sla: Sla.default({}),
  components: z.array(NewComponent).max(MAX_COMPONENTS).default([]),
};
export const NewService = z.strictObject(fields).meta({ id: 'NewService' });
export type NewServiceInput = z.output<typeof NewService>;
/** Absent fields stay; `components` and `sla` are replaced as a whole. */
export const ServicePatch = z
  .strictObject({
    name: text.optional(),
    description: z.string().max(32_768).optional(),
    criticality: z.enum(CRITICALITIES).optional(),
    sla: Sla.optional(),
    components: z.array(NewComponent).max(MAX_COMPONENTS).optional(),
  })
  .meta({ id: 'ServicePatch' });
export type ServicePatchInput = z.output<typeof ServicePatch>;

const HealthBody = z
  .object({ status: z.enum(HEALTH_STATUSES), score: z.number().min(0).max(100) })
  .meta({ id: 'ServiceHealth' });
export const ServiceBody = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    criticality: z.enum(CRITICALITIES),
    sla: z.object({ availability: z.string().optional(), response_time: z.string().optional() }),
    components: z.array(
      z.object({
        ci_id: z.string(),
        role: z.string(),
        redundancy_group: z.string().optional(),
        redundancy_required: z.int().optional(),
      }),
    ),
    health: HealthBody,
    created_at: IsoTime,
    updated_at: IsoTime,
    created_by: z.string(),
    updated_by: z.string(),
  })
  .meta({ id: 'BusinessService' });

const Dependency = z.object({
  service_id: z.string(),
  name: z.string(),
  health: HealthBody,
  type: z.enum(['required', 'optional']),
  impact: z.enum(['full_outage', 'degraded_functionality']),
});
export const Dependencies = z
  .object({
    service_id: z.string(),
    dependencies: z.object({ upstream: z.array(Dependency), downstream: z.array(Dependency) }),
    dependency_map: z.object({ visualization_url: z.string() }),
  })
  .meta({ id: 'ServiceDependencies' });

const DayBody = z
  .object({ from: IsoTime, worst: HealthBody, critical_seconds: z.int().min(0), degraded_seconds: z.int().min(0) })
  .meta({ id: 'ServiceHealthDay' });
export const HealthHistory = z
  .object({
    days: z.array(DayBody).meta({
      description: 'UTC days, oldest first; the last one is today; unknown: before its creation, or no components',
    }),
    truncated: z.boolean().meta({ description: 'Only the newest 4,000 events were evaluated' }),
  })
  .meta({ id: 'ServiceHealthHistory' });

const seconds = (ms: number): number => Math.round(ms / 1_000);
export const healthHistory = ({
  days,
  truncated,
}: {
  readonly days: readonly HealthDay[];
  readonly truncated: boolean;
}): z.output<typeof HealthHistory> => ({
  days: days.map(({ from, worst, criticalMs, degradedMs }) => ({
    from: iso(from),
    worst: { ...worst },
    critical_seconds: seconds(criticalMs),
    degraded_seconds: seconds(degradedMs),
  })),
  truncated,
});

export const HealthTrend = z
  .object({
    service_id: z.string(),
    from: IsoTime.meta({ description: 'Start of the first hour' }),
    scores: z
      .array(z.number())
      .meta({ description: 'Lowest score of each hour since its creation; the last hour is the current one' }),
  })
  .meta({ id: 'ServiceHealthTrend' });
export const healthTrend = ({ id, hours }: ServiceTrend): z.output<typeof HealthTrend> => ({
  service_id: id,
  from: iso(hours[0]?.from ?? 0),
  scores: hours.map(({ worst }) => worst.score),
});

/** A service with its current health. */
export interface HealthyService {
  readonly service: Service;
  readonly health: Health;
}
export interface Assessed extends HealthyService {
  /** Revision of the record, for If-Match. */
  readonly revision: number;
}

export const serviceBody = ({ service, health }: HealthyService): z.output<typeof ServiceBody> => ({
  ...serviceFacts(service),
  health: { ...health },
  created_at: iso(service.createdAt),
  updated_at: iso(service.updatedAt),
  created_by: service.createdBy,
  updated_by: service.updatedBy,
});
