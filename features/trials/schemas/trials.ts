import { z } from 'zod';
import { CHANGE_KINDS } from '#features/trials/rules/compare-groups.ts';
import { BEFORE_EVENTS, TRIAL_STATES, type Trial } from '#features/trials/rules/trial.ts';
import { CorrelationPatch } from '#schemas/http/admin/settings.ts';
import { alias } from '#schemas/http/common.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/** Trials of correlation settings on what is stored (docs/correlation.md). */

const MOST_HOURS = 168;
const count = z.int().min(0);

const TrialPatch = CorrelationPatch.extend(
  Object.fromEntries(BEFORE_EVENTS.map((name) => [name, alias(CorrelationPatch.shape[name] as z.ZodType)])),
).meta({ id: 'TriedCorrelationSettings', description: 'Laid over the settings of the tenant, as PUT would' });

export const StartTrial = z
  .strictObject({
    patch: TrialPatch,
    hours: z.int().min(1).max(MOST_HOURS).default(24),
  })
  .meta({ id: 'StartSettingsTrial' });

const Counts = z
  .object({
    groups: count,
    grouped: count.meta({ description: 'Events in a group' }),
    largest: count.meta({ description: 'Events of the largest' }),
    noise: count.meta({ description: 'Events that stand alone' }),
  })
  .meta({ id: 'TrialCounts' });

const groups = z.array(z.object({ correlationId: z.string(), size: count })).max(20);

const Change = z
  .object({
    kind: z.enum(CHANGE_KINDS),
    before: groups,
    after: groups.meta({ description: 'Groups as they would be; no group of this id need be stored' }),
    titles: z.array(z.string()).max(4).meta({ description: 'Of the causes of these groups' }),
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
    by: z.string().meta({ description: 'Id of who asked' }),
    error: z.string().nullable(),
    from: IsoTime.nullable().meta({
      description: 'Events from then on count; null until the trial is completed, as is all below',
    }),
    events: count.nullable(),
    truncated: z
      .boolean()
      .nullable()
      .meta({ description: 'Fewer hours than asked for: there are more than 50,000 events' }),
    before: Counts.nullable().meta({ description: 'As it was' }),
    after: Counts.nullable().meta({ description: 'As it would have been' }),
    changes: z.array(Change).max(100).nullable().meta({ description: 'The largest first' }),
    changed: count.nullable().meta({ description: 'All changes' }),
    verdicts: z.object({ kept: count, lost: count }).nullable().meta({
      description: 'Groups whose cause or members people called right: how many would come out the same in that',
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
