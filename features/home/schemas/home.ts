import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { HEALTH_STATUSES } from '#domain/services/health.ts';
import { SilentSourceBody } from '#features/silent-sources/schemas/silent-source.ts';
import { IsoTime, Time } from '#schemas/http/time.ts';

const count = z.int().min(0);

export const HomeQuery = z.strictObject({
  since: Time.optional().meta({ description: 'Start of the period, at most 7 days ago. Default: 12 hours ago' }),
});

const Now = z.object({
  groups: z
    .array(z.object({ status: z.enum(['active', 'acknowledged']), severity: z.enum(SEVERITIES), count }))
    .meta({ description: 'Groups and ungrouped events by status and severity, without zero counts' }),
  services: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        status: z.enum(HEALTH_STATUSES),
        score: z.number().min(0).max(100),
      }),
    )
    .nullable()
    .meta({
      description: 'Services with a health score below 80, of the 200 most critical; null: requires services.read',
    }),
  silentSources: z.array(SilentSourceBody),
  silencesEnding: z
    .array(z.object({ id: z.string(), reason: z.string(), createdBy: z.string(), endsAt: IsoTime }))
    .meta({ description: 'Active silences that end within 2 hours' }),
});

const Period = z.object({
  from: IsoTime,
  began: count.meta({ description: 'Groups and ungrouped events that began in the period' }),
  unresolved: count.meta({ description: 'Active and acknowledged ones of these' }),
  truncated: z.boolean().meta({ description: 'True if more than 300 began' }),
  resolved: count.meta({ description: 'Resolved groups and events with occurrences in the period' }),
  longest: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['group', 'event']),
      title: z.string().nullable().meta({ description: 'With its CI or host' }),
      severity: z.enum(SEVERITIES).nullable(),
      from: IsoTime,
      to: IsoTime.nullable().meta({ description: 'null: not resolved' }),
    }),
  ),
  users: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        last: IsoTime,
        actions: z.array(z.object({ action: z.string(), count })),
      }),
    )
    .meta({ description: 'Actions on groups, events and silences by user, at most 10 users' }),
});

export const HomeBody = z.object({ now: Now, period: Period }).meta({ id: 'Home' });
