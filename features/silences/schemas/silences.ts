import { z } from 'zod';
import { type Event, eventIdOf, SEVERITIES, STATUSES } from '#domain/event/event.ts';
import { isLabelName, labelProblem } from '#domain/event/silences/labels.ts';
import { WEEKDAYS } from '#domain/event/silences/recurrence.ts';
import {
  LABEL_OPERATORS,
  SILENCE_STATES,
  type SilenceMatcher,
  type SilenceRule,
  silenceName,
} from '#domain/event/silences/silence-rule.ts';
import {
  exactProblem,
  hostProblem,
  MAX_HOSTS,
  REGULAR_SOURCE,
  tagProblem,
} from '#domain/event/silences/written-pattern.ts';
import { isZone } from '#domain/texts/time-zone.ts';
import { User } from '#schemas/http/events/event-view.ts';
import { pageFields, ulidCursor, withinWindow } from '#schemas/http/paging.ts';
import { IsoTime, iso, TIME_OF_DAY, Time } from '#schemas/http/time.ts';

const word = z.string().trim().min(1).max(255);
const id = z.string().trim().min(1).max(4_096);
const MAX_HOST = 255;
const MAX_HOST_TEXT = MAX_HOSTS * (MAX_HOST + 1);

/** Refuses rules that would never match. */
const matching =
  (problemOf: (text: string) => string | null) =>
  ({ value, issues }: { readonly value: string | undefined; readonly issues: z.core.$ZodRawIssue[] }): void => {
    const message = value === undefined ? null : problemOf(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  };
/** Schema for readers of the document: a text that is no regular expression. */
const literal = { not: { pattern: REGULAR_SOURCE } };
const exact = word.check(matching(exactProblem)).meta({ pattern: '^[^*|]*[^\\s*|][^*|]*$', ...literal });
const hostText = z.string().trim().min(1).max(MAX_HOST_TEXT).check(matching(hostProblem));
const written = {
  minLength: 1,
  maxLength: MAX_HOST_TEXT,
  pattern: `^\\s*[^\\s,][^,]*(?:,[^,]*){0,${MAX_HOSTS - 1}}$`,
  ...literal,
};
const listed = { minItems: 1, maxItems: MAX_HOSTS };
/** A list is stored as its equivalent text. */
const host = z
  .union([
    z.string().meta(written),
    z
      .array(
        z
          .string()
          .max(MAX_HOST)
          .meta({ minLength: 1, pattern: '^\\s*[^\\s,][^,]*$', ...literal }),
      )
      .meta(listed),
  ])
  .transform((said) => (typeof said === 'string' ? said : said.map((one) => one.trim()).join(', ')))
  .pipe(hostText)
  .meta({ description: 'Hostname patterns (* and ?), as a list or comma-separated' });

const MAX_LABELS = 50;
const MAX_CIS = 100;
const labelName = z.string().max(255).refine(isLabelName, 'expected letters, digits and underscores');
const label = z
  .strictObject({
    name: labelName.meta({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' }),
    op: z.enum(LABEL_OPERATORS),
    value: z.string().max(1_024),
  })
  .check(({ value, issues }) => {
    const message = labelProblem(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value.value, path: ['value'] });
  })
  .meta({ id: 'LabelMatcher' });

const parts = {
  source: exact.optional().meta({ description: 'Source name as shown on events' }),
  severity: z
    .array(z.enum(SEVERITIES))
    .min(1)
    .max(SEVERITIES.length)
    .optional()
    .meta({ description: 'Any of these severities' }),
  host: host.optional(),
  service: exact.optional().meta({ description: 'Service or application' }),
  environment: exact.optional(),
  tag: word.check(matching(tagProblem)).meta(literal).optional(),
  labels: z.array(label).min(1).max(MAX_LABELS).optional().meta({
    description:
      'Labels, by value (=, !=) or by an RE2 expression for the whole value (=~, !~). Tags with a name are labels, and so are alertname, instance, severity, source, sourceId, service, application and environment',
  }),
  title: z
    .string()
    .trim()
    .min(1)
    .max(255)
    // Not every reader of the document knows classes of letters.
    .refine((title) => /[\p{L}\p{N}]/u.test(title), 'expected at least one word')
    .optional()
    .meta({ description: 'Words in the title, in any order' }),
  ciId: id.optional(),
  ciIds: z.array(id).min(1).max(MAX_CIS).optional().meta({ description: 'Any of these CIs; not together with ciId' }),
  ciType: exact.optional(),
  below: id.optional().meta({ description: 'CI ID; also matches all CIs impacted by it at event time' }),
};
const PARTS = Object.keys(parts).join(', ');

const Matcher = z
  .strictObject(parts)
  .refine((matcher) => Object.values(matcher).some((part) => part !== undefined), `expected at least one of ${PARTS}`)
  .refine(({ ciId, ciIds }) => ciId === undefined || ciIds === undefined, 'expected ciId or ciIds, not both')
  .transform((matcher) => matcher as SilenceMatcher)
  .meta({
    id: 'SilenceMatcher',
    minProperties: 1,
    not: { required: ['ciId', 'ciIds'] },
    example: { host: 'fra1-*', severity: ['warning', 'info'] },
    description: 'All given fields must match',
  });

const reason = z.string().trim().min(1).max(1_024);
const clock = z.string().regex(TIME_OF_DAY, 'expected HH:MM');
const Recurrence = z
  .strictObject({
    weekdays: z.array(z.enum(WEEKDAYS)).min(1).max(WEEKDAYS.length).meta({ description: 'Days on which it begins' }),
    from: clock.meta({ example: '22:00' }),
    to: clock.meta({ example: '06:00', description: 'Not later than from: on the next day' }),
    zone: z
      .string()
      .max(64)
      .refine(isZone, 'expected a time zone such as Europe/Berlin')
      .meta({ example: 'Europe/Berlin' }),
  })
  .meta({ id: 'SilenceRecurrence', description: 'Windows between startsAt and endsAt; default: all the time' });

export const NewSilence = z
  .strictObject({
    matcher: Matcher,
    startsAt: Time.optional().meta({ description: 'Default: now' }),
    endsAt: Time,
    recurrence: Recurrence.optional(),
    reason,
  })
  .meta({ id: 'NewSilence' });
export type NewSilenceInput = z.output<typeof NewSilence>;

export const SilencePut = z
  .strictObject({ matcher: Matcher, startsAt: Time, endsAt: Time, recurrence: Recurrence.nullable(), reason })
  .partial()
  .refine((given) => Object.values(given).some((one) => one !== undefined), 'expected at least one change')
  .meta({ id: 'SilencePut', minProperties: 1 });
export type SilencePutInput = z.output<typeof SilencePut>;

export const SilencePreview = z.strictObject({ matcher: Matcher }).meta({ id: 'SilencePreview' });

const Sample = z
  .object({
    eventId: z.string(),
    title: z.string(),
    hostname: z.string().optional(),
    severity: z.enum(SEVERITIES),
    status: z.enum(STATUSES),
  })
  .meta({ id: 'SilencePreviewSample' });
export const PreviewBody = {
  matched: z.int().min(0).meta({ description: 'Matching events of the last 24 hours' }),
  open: z.int().min(0).meta({ description: 'Matching events that are open or acknowledged now' }),
  truncated: z.boolean().meta({ description: 'Only the newest 20,000 events in the range were evaluated' }),
  samples: z.array(Sample).meta({ description: 'Newest matching events, open ones if there are any' }),
};

interface PreviewDetails {
  readonly matched: number;
  readonly open: number;
  readonly truncated: boolean;
  readonly samples: readonly Event[];
}
export const previewBody = ({ samples, ...counts }: PreviewDetails) => ({
  ...counts,
  samples: samples.map(({ id, title, hostname, severity, status }) => ({
    eventId: eventIdOf(id),
    title,
    ...(hostname !== undefined && { hostname }),
    severity,
    status,
  })),
});

export const SilencesQuery = z
  .strictObject({
    state: z.enum(SILENCE_STATES).optional(),
    ...pageFields({ limit: 50, max: 100 }),
    cursor: ulidCursor,
  })
  .check(withinWindow);

const MatcherView = z.object({ ...parts, host: z.string().optional() }).meta({ id: 'SilenceMatcherView' });
export const SilenceBody = z
  .object({
    id: z.string(),
    state: z.enum(SILENCE_STATES),
    matcher: MatcherView,
    startsAt: IsoTime,
    endsAt: IsoTime,
    recurrence: Recurrence.optional(),
    reason: z.string(),
    createdBy: User,
    caught: z.int().min(0).meta({ description: 'Events suppressed by this silence' }),
  })
  .meta({ id: 'Silence' });

interface SilenceDetails {
  readonly rule: {
    readonly id: string;
    readonly matcher: SilenceMatcher;
    readonly startsAt: number;
    readonly endsAt: number;
    readonly recurrence?: SilenceRule['recurrence'];
    readonly reason: string;
    readonly createdBy: { readonly id: string; readonly username: string; readonly name: string };
  };
  readonly state: (typeof SILENCE_STATES)[number];
  readonly caught: number;
}

export const silenceBody = ({ rule, state, caught }: SilenceDetails) => ({
  id: silenceName(rule.id),
  state,
  matcher: rule.matcher,
  startsAt: iso(rule.startsAt),
  endsAt: iso(rule.endsAt),
  ...(rule.recurrence !== undefined && { recurrence: rule.recurrence }),
  reason: rule.reason,
  createdBy: { _id: rule.createdBy.id, username: rule.createdBy.username, name: rule.createdBy.name },
  caught,
});
