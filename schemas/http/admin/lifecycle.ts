import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { atLeastOneOf } from '#schemas/http/common.ts';

/* How events end that nothing ends; durations in ms, null: never. */

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const silence = z
  .int()
  .min(10 * MINUTE)
  .max(400 * DAY)
  .nullable();
const Exception = z
  .strictObject({
    source: z.string().min(1).max(4_096).optional().meta({ description: 'As events show it' }),
    severity: z.enum(SEVERITIES).optional(),
    resolveAfterMs: silence,
  })
  .refine(({ source, severity }) => source !== undefined || severity !== undefined, 'expected source or severity')
  .meta(atLeastOneOf('source', 'severity'));

const fields = {
  resolveAfterMs: silence.meta({ description: 'Silence that resolves an event without a condition of a monitor' }),
  conditionResolveAfterMs: silence.meta({ description: 'The same for events with a condition of a monitor' }),
  exceptions: z
    .array(Exception)
    .max(100)
    .meta({ description: 'In place of resolveAfterMs for a source, a severity or both; the first that fits counts' }),
  maintenanceBelow: z
    .boolean()
    .meta({ description: 'The maintenance of a CI suppresses events of what its failure reaches, too' }),
  worseReopens: z.boolean().meta({
    description:
      'An acknowledged group is active again when a member is worse than all that was acknowledged, or hits a further service',
  }),
  replicaLabels: z.array(z.string().min(1).max(256)).max(50).meta({
    description: 'Labels of alerts that do not make a condition, as those that tell the replicas of a monitor apart',
  }),
  loneFrom: z.enum(SEVERITIES).meta({
    description: 'The least severity of events in no group that lists of groups show, and that webhooks are told of',
  }),
};
const LifecycleView = z.object(fields).meta({ id: 'LifecycleSettings' });

/** An absent field is as by default: null is a value of its own. */
export const LifecyclePut = z.strictObject(fields).partial().meta({ id: 'LifecycleSettingsPut' });
export type LifecyclePutInput = z.output<typeof LifecyclePut>;

export const LifecycleReply = z
  .object({
    effective: LifecycleView,
    overrides: LifecycleView.partial().meta({ description: 'What the tenant has set' }),
    defaults: LifecycleView,
  })
  .meta({ id: 'LifecycleSettingsReply' });
