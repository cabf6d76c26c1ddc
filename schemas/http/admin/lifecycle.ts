import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { atLeastOneOf } from '#schemas/http/common.ts';

/* Settings by which events end automatically; durations in ms, null: never. */

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const silence = z
  .int()
  .min(10 * MINUTE)
  .max(400 * DAY)
  .nullable();
const Exception = z
  .strictObject({
    source: z.string().min(1).max(4_096).optional().meta({ description: 'Source name as shown on events' }),
    severity: z.enum(SEVERITIES).optional(),
    resolveAfterMs: silence,
  })
  .refine(({ source, severity }) => source !== undefined || severity !== undefined, 'expected source or severity')
  .meta(atLeastOneOf('source', 'severity'));

const fields = {
  resolveAfterMs: silence.meta({
    description: 'Inactivity after which an event without a source condition is resolved',
  }),
  conditionResolveAfterMs: silence.meta({
    description: 'Inactivity after which an event with a source condition is resolved',
  }),
  exceptions: z
    .array(Exception)
    .max(100)
    .meta({ description: 'Overrides of resolveAfterMs by source, severity or both; the first match applies' }),
  maintenanceBelow: z
    .boolean()
    .meta({ description: 'true: maintenance of a CI also suppresses events of CIs it impacts' }),
  worseReopens: z.boolean().meta({
    description:
      'true: reactivate an acknowledged group if an event is more severe than those acknowledged or affects another service',
  }),
  replicaLabels: z.array(z.string().min(1).max(256)).max(50).meta({
    description: 'Alert labels ignored in conditions, for example replica labels',
  }),
  loneFrom: z.enum(SEVERITIES).meta({
    description: 'Minimum severity of ungrouped events in group lists and webhooks',
  }),
  maxSilenceMs: silence.meta({ description: 'Longest silence without recurrence; null: any' }),
};
const LifecycleView = z.object(fields).meta({ id: 'LifecycleSettings' });

/** An absent field is as by default: null is a value of its own. */
export const LifecyclePut = z.strictObject(fields).partial().meta({ id: 'LifecycleSettingsPut' });
export type LifecyclePutInput = z.output<typeof LifecyclePut>;

export const LifecycleReply = z
  .object({
    effective: LifecycleView,
    overrides: LifecycleView.partial().meta({ description: 'Settings changed by the tenant' }),
    defaults: LifecycleView,
  })
  .meta({ id: 'LifecycleSettingsReply' });
