import { z } from 'zod';
import { CHANGE_KINDS } from '#features/trials/rules/compare-groups.ts';
import { BEFORE_EVENTS, TRIAL_STATES, type Trial } from '#features/trials/rules/trial.ts';
import { CorrelationPatch } from '#schemas/http/admin/settings.ts';
import { alias } from '#schemas/http/common.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/** Trials of correlation settings on stored events (docs/correlation.md). */

const MAX_HOURS = 168;
const count = z.int().min(0);

const TrialPatch = CorrelationPatch.extend(
  Object.fromEntries(BEFORE_EVENTS.map((name) => [name, alias(CorrelationPatch.shape[name] as z.ZodType)])),
).meta({ id: 'TriedCorrelationSettings', description: "Settings to simulate, merged over the tenant's settings" });

export const StartTrial = z
  .strictObject({ patch: TrialPatch, hours: z.int().min(1).max(MAX_HOURS).default(24) })
  .meta({ id: 'StartSettingsTrial' });

const Counts = z
  .object({
    groups: count,
    grouped: count.meta({ description: 'Events in a group' }),
    largest: count.meta({ description: 'Events in the largest group' }),
    noise: count.meta({ description: 'Ungrouped events' }),
  })
  .meta({ id: 'TrialCounts' });

const groups = z.array(z.object({ correlationId: z.string(), size: count })).max(20);

const Change = z
  .object({
    kind: z.enum(CHANGE_KINDS),
    before: groups,
    after: groups.meta({ description: 'Simulated groups; their IDs may not exist' }),
    titles: z.array(z.string()).max(4).meta({ description: 'Root-cause titles of these groups' }),
  })
  .meta({ id: 'TrialChange' });

export const TrialBody = z
  .object({
    id: z.string(),
    state: z.enum(TRIAL_STATES),
    done: z.number().min(0).max(1),
    patch: z.record(z.string(), z.unknown()),
    hours: z.int(),
    startedAt: IsoTime,
    endedAt: IsoTime.nullable(),
    by: z.string().meta({ description: 'User ID of the requester' }),
    error: z.string().nullable(),
    from: IsoTime.nullable().meta({
      description: 'Start of the replayed events; null until the simulation is completed, like all fields below',
    }),
    events: count.nullable(),
    truncated: z.boolean().nullable().meta({ description: 'True if shortened to 50,000 events' }),
    before: Counts.nullable().meta({ description: 'With the current settings' }),
    after: Counts.nullable().meta({ description: 'With the simulated settings' }),
    changes: z.array(Change).max(100).nullable().meta({ description: 'Largest first' }),
    changed: count.nullable().meta({ description: 'Total number of changes' }),
    verdicts: z.object({ kept: count, lost: count }).nullable().meta({
      description: 'Groups with a "right" verdict that stay the same',
    }),
  })
  .meta({ id: 'SettingsTrial' });

const NO_RESULT = {
  events: null,
  truncated: null,
  before: null,
  after: null,
  changes: null,
  changed: null,
  verdicts: null,
};

export const trialView = ({ result, startedAt, endedAt, ...trial }: Trial): z.output<typeof TrialBody> => {
  const times = { startedAt: iso(startedAt), endedAt: endedAt === null ? null : iso(endedAt) };
  if (result === null) return { ...trial, ...times, from: null, ...NO_RESULT };
  const { from, changes, ...found } = result;
  return {
    ...trial,
    ...times,
    from: iso(from),
    ...found,
    changes: changes.map(({ kind, before, after, titles }) => ({
      kind,
      before: [...before],
      after: [...after],
      titles: [...titles],
    })),
  };
};
