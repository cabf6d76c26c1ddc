import { z } from 'zod';
import type { SilenceState } from '#domain/event/silences/silence-rule.ts';
import { parsedMatchers } from '#domain/event/silences/written-labels.ts';
import { linearPattern } from '#domain/texts/linear-pattern.ts';
import { flag } from '#schemas/http/common.ts';
import { IsoTime, Time, WrittenTime } from '#schemas/http/time.ts';

/* Bodies of Alertmanager's API v2 (its api/v2/openapi.yaml). */

const labels = z.record(z.string(), z.string());
const Receiver = z.object({ name: z.string() }).meta({ id: 'AlertmanagerReceiver' });
export const Receivers = z.array(Receiver);

const PostableAlert = z
  .looseObject({
    labels,
    annotations: labels.optional(),
    startsAt: WrittenTime.optional(),
    endsAt: WrittenTime.optional().meta({ description: 'Default: in five minutes. A past time resolves the alert' }),
    generatorURL: z.string().optional(),
  })
  .meta({
    id: 'PostableAlert',
    example: { labels: { alertname: 'TargetDown', instance: 'sw-1:9100' }, annotations: { summary: 'Target is down' } },
  });
/** Schema for readers of the document. */
export const WrittenAlerts = z.array(PostableAlert);
const MAX_ALERTS = 5_000;
/** Alerts are checked one by one, so that valid ones are stored. */
export const PostableAlerts = z.array(z.unknown()).max(MAX_ALERTS);

const filter = z
  .string()
  .max(8_192)
  .transform((text) => parsedMatchers(text))
  .default([])
  .meta({ type: 'string', description: 'Matchers, as alertname="A",severity=~"critical|major"; repeatable' });
const receiver = z
  .string()
  .max(1_024)
  .transform((source, context) => {
    const pattern = linearPattern(source);
    if (typeof pattern !== 'string') return pattern;
    context.addIssue({ code: 'custom', message: pattern });
    return z.NEVER;
  })
  .optional()
  .meta({ type: 'string', description: 'Regular expression for the name of the receiver' });
const wanted = {
  active: flag().optional(),
  silenced: flag().optional(),
  inhibited: flag().optional(),
  muted: flag().optional(),
  unprocessed: flag().optional(),
  filter,
  receiver,
  receiver_matchers: z.string().max(8_192).optional().meta({ description: 'Ignored' }),
};
export const AlertsQuery = z.strictObject(wanted);
export const ReceiversQuery = z.strictObject({ receiver_matchers: wanted.receiver_matchers });

const GettableAlert = z
  .object({
    fingerprint: z.string(),
    labels,
    annotations: labels,
    generatorURL: z.string().optional(),
    startsAt: IsoTime,
    endsAt: IsoTime,
    updatedAt: IsoTime,
    receivers: Receivers,
    status: z.object({
      state: z.enum(['unprocessed', 'active', 'suppressed']),
      silencedBy: z.array(z.string()),
      inhibitedBy: z.array(z.string()).meta({ description: 'Fingerprint of the probable root cause' }),
      mutedBy: z.array(z.string()),
    }),
  })
  .meta({ id: 'GettableAlert' });
export const GettableAlerts = z.array(GettableAlert);
export const AlertGroups = z.array(
  z
    .object({ labels, routeLabels: labels, receiver: Receiver, alerts: GettableAlerts })
    .meta({ id: 'AlertmanagerAlertGroup' }),
);

const Matcher = z
  .object({
    name: z.string().min(1).max(255),
    value: z.string().max(12_800),
    isRegex: z.boolean(),
    isEqual: z.boolean().optional().meta({ description: 'Default: true' }),
  })
  .meta({ id: 'AlertmanagerMatcher' });
const silence = {
  matchers: z.array(Matcher).min(1).max(100),
  createdBy: z.string().max(255),
  comment: z.string().trim().min(1).max(1_024),
};
export const PostableSilence = z
  .looseObject({ id: z.string().max(64).optional(), ...silence, startsAt: Time, endsAt: Time })
  .meta({
    id: 'PostableSilence',
    example: {
      matchers: [{ name: 'alertname', value: 'TargetDown', isRegex: false, isEqual: true }],
      startsAt: '2026-11-20T10:00:00Z',
      endsAt: '2026-11-20T12:00:00Z',
      createdBy: 'ann',
      comment: 'new switch',
    },
  });
export type PostableSilenceBody = z.output<typeof PostableSilence>;

export const SILENCE_WORDS = { active: 'active', planned: 'pending', past: 'expired' } as const satisfies Readonly<
  Record<SilenceState, string>
>;
export const GettableSilence = z
  .object({
    id: z.string(),
    status: z.object({ state: z.enum(['active', 'pending', 'expired']) }),
    updatedAt: IsoTime,
    startsAt: IsoTime,
    endsAt: IsoTime,
    annotations: labels,
    ...silence,
    comment: z.string(),
  })
  .meta({ id: 'GettableSilence' });
export const SilencesQuery = z.strictObject({
  filter,
  active: flag().optional(),
  pending: flag().optional(),
  expired: flag().optional(),
});
export const SilencePath = z.object({ id: z.string().min(1).max(64) });
export const SilenceId = z.object({ silenceID: z.string() }).meta({ id: 'AlertmanagerSilenceId' });

export const Status = z
  .object({
    cluster: z.object({
      name: z.string(),
      status: z.enum(['ready', 'settling', 'disabled']),
      peers: z.array(z.object({ name: z.string(), address: z.string() })),
    }),
    versionInfo: z.object({
      version: z.string(),
      revision: z.string(),
      branch: z.string(),
      buildUser: z.string(),
      buildDate: z.string(),
      goVersion: z.string(),
    }),
    config: z.object({ original: z.string() }),
    uptime: IsoTime,
  })
  .meta({ id: 'AlertmanagerStatus' });
