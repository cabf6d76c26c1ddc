import { z } from 'zod';
import { MAX_LATENESS_MS, MAX_WINDOW_MS } from '#domain/correlation/settings.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { type OwnSetting, ownSettingsOf, type Strategy } from '#domain/correlation/strategy.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { ALERT_OBJECTS, COMPLAINTS, MAX_ALERT_KINDS } from '#domain/event/identity/alert-kinds.ts';
import { MAX_CHECK_RULES } from '#domain/event/identity/check-rules.ts';
import { KNOWN_PATTERNS } from '#domain/event/identity/known-patterns.ts';

/* Settings of a tenant, with the range of each number; durations in ms. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const windowMs = z
  .int()
  .min(10 * SECOND)
  .max(MAX_WINDOW_MS);
const enabled = z.boolean();
const weight = z.number().min(0).max(10);

const ownView = (setting: OwnSetting): z.ZodType => {
  if (setting.kind === 'switch') return z.boolean();
  if (setting.kind === 'choice') return z.union(setting.choices.map((choice) => z.literal(choice)));
  return z.number().min(setting.least).max(setting.most);
};
const strategyView = (strategy: Strategy) =>
  z.strictObject({
    enabled,
    windowMs: strategy.auto === undefined ? windowMs : z.union([z.literal('auto'), windowMs]),
    ...Object.fromEntries(ownSettingsOf(strategy).map(([name, setting]) => [name, ownView(setting)])),
  });

export const CorrelationSettingsView = z
  .strictObject({
    profile: z.enum(['calibrated', 'specified']),
    threshold: z
      .number()
      .min(0.5)
      .max(0.99)
      .meta({ description: 'Two events are grouped if their score is greater than this' }),
    strategies: z.strictObject(Object.fromEntries(strategies.map((each) => [each.name, strategyView(each)]))),
    candidates: z.strictObject({
      perKey: z.int().min(1).max(100),
      perCi: z.int().min(1).max(20),
      structure: z.int().min(1).max(300),
    }),
    guards: z.strictObject({
      maxSpanMs: z
        .int()
        .min(MINUTE)
        .max(7 * DAY),
      maxSize: z.int().min(2).max(10_000),
      temporalReach: z.boolean(),
    }),
    latenessMs: z.int().min(0).max(MAX_LATENESS_MS),
    dedupScope: z.enum(['system', 'signature']),
    dedupWindowMs: z
      .int()
      .min(MINUTE)
      .max(30 * DAY),
    plainEscalation: z.enum(['new_event', 'same_event']).meta({
      description: 'Handling of the same source and sourceId with a different severity (except webhooks)',
    }),
    maxBehindMs: z
      .int()
      .min(HOUR)
      .max(90 * DAY)
      .meta({ description: "Maximum accepted lag behind the tenant's newest event" }),
    rootCause: z.strictObject({
      coverage: weight,
      earliness: weight,
      severity: weight,
      knownPattern: weight,
      knownPatterns: z.array(z.enum(KNOWN_PATTERNS)).max(KNOWN_PATTERNS.length),
    }),
    heartbeats: z.array(z.string().min(1).max(255)).max(100),
    showEffectsAs: z.enum(['inhibited', 'active']).meta({
      description: 'State of alerts with a known probable root cause in the Alertmanager API',
    }),
  })
  .meta({ id: 'CorrelationSettings' });

/** The same at any depth: absent leaves unchanged, null restores the default. */
const patchOf = (schema: z.ZodObject): z.ZodObject =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(schema.shape).map(([name, field]) => [
        name,
        z.nullable(field instanceof z.ZodObject ? patchOf(field) : (field as z.ZodType)).optional(),
      ]),
    ),
  );
export const CorrelationPatch = patchOf(CorrelationSettingsView).meta({ id: 'CorrelationSettingsPatch' });

export const CorrelationReply = z
  .object({
    effective: CorrelationSettingsView,
    overrides: z.record(z.string(), z.unknown()).meta({ description: 'Settings changed by the tenant' }),
    defaults: CorrelationSettingsView,
  })
  .meta({ id: 'CorrelationSettingsReply' });

const word = z.string().trim().min(1).max(64).toLowerCase();
const words = <T extends z.ZodType>(value: T, max: number) =>
  z.record(word, value).refine((map) => Object.keys(map).length <= max, `expected at most ${max} entries`);
const topic = z.string().regex(/^arn:[\w-]+:sns:[\w-]*:\d*:[\w.-]{1,256}$/, 'expected the ARN of an SNS topic');
const topics = z.array(topic).max(100);
const severity = z.enum(SEVERITIES);

const AlertKindView = z
  .strictObject({
    alert: z
      .string()
      .trim()
      .min(1)
      .max(255)
      .meta({ description: 'Alert name; * matches any characters', example: 'Shop*Down' }),
    problem: z
      .enum(COMPLAINTS)
      .meta({ description: 'Kind of problem. All but errors, latency, traffic and unknown stop the object' }),
    object: z
      .enum(ALERT_OBJECTS)
      .optional()
      .meta({ description: 'Kind of the Kubernetes object that the alert is about' }),
  })
  .meta({ id: 'AlertKind' });
export type AlertKindBody = z.output<typeof AlertKindView>;
const CheckRuleView = z
  .strictObject({
    source: z.string().trim().min(1).max(255).toLowerCase(),
    problem: z.string().trim().min(1).max(1_024).toLowerCase().meta({
      description: 'Title without its host, numbers as <n>, as `GET /api/noise` returns it',
      example: 'disk <n>% full',
    }),
    severity: severity.optional().meta({ description: 'Replaces the severity as sent' }),
    grouped: z.boolean().optional().meta({ description: 'false: its new events join no groups' }),
  })
  .meta({ id: 'CheckRule' });
export type CheckRuleBody = z.output<typeof CheckRuleView>;
const checkRules = z
  .array(CheckRuleView)
  .max(MAX_CHECK_RULES)
  .refine(
    (rules) => new Set(rules.map(({ source, problem }) => `${source}\n${problem}`)).size === rules.length,
    'expected one rule for each source and problem',
  );
const alertKinds = z.array(AlertKindView).max(MAX_ALERT_KINDS);

export const InboundSettingsView = z
  .object({
    severities: words(words(severity, 200), 50).meta({ description: 'Source → severity as sent → Faultline severity' }),
    snsTopics: topics.meta({ description: 'Allowed SNS topics; empty: any' }),
    alerts: alertKinds.meta({
      description: 'Kinds of alerts by name, before the catalog of stock alerts; the first match counts',
    }),
    checks: checkRules.meta({ description: 'Severity and grouping of the events of a check, from any interface' }),
  })
  .meta({ id: 'InboundSettings' });
export const InboundPatch = z
  .strictObject({
    severities: words(words(severity.nullable(), 200).nullable(), 50).nullable().optional(),
    snsTopics: topics.nullable().optional(),
    alerts: alertKinds.nullable().optional(),
    checks: checkRules.nullable().optional(),
  })
  .meta({ id: 'InboundSettingsPatch' });
