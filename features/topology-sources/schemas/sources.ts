import { z } from 'zod';
import { parseOverlap } from '#domain/access/expiry.ts';
import type { ChangedNames } from '#features/topology-sources/rules/changes.ts';
import type { HeldEndings } from '#features/topology-sources/rules/guard.ts';
import {
  DEFAULT_EVERY_MS,
  DEFAULT_GRACE_MS,
  MIN_EVERY_MS,
  MIN_GRACE_MS,
  NETBOX_EVERY_MS,
  type RunCounts,
  SOURCE_FAILURES,
  SOURCE_KINDS,
  SOURCE_NAME,
  SYNCED,
  type TopologySource,
  type TopologySourceState,
} from '#features/topology-sources/rules/source.ts';
import { digitsPattern, flag, IPV4, IPV6 } from '#schemas/http/common.ts';
import { duration } from '#schemas/http/duration.ts';
import { IsoTime, iso, isoOrNull } from '#schemas/http/time.ts';

/** Wire format of topology sources (docs/topology-sources.md). */

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const UNITS: readonly (readonly [string, number])[] = [
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', SECOND_MS],
];
const shortText = (ms: number): string => {
  const [unit, size] = UNITS.find(([, one]) => ms >= one && ms % one === 0) ?? ['s', SECOND_MS];
  return `${Math.round(ms / size)}${unit}`;
};

/** Parses `30s` to ms. */
export const span = (least: number, most: number) =>
  duration({ least: least === 0 ? 0 : 1, most }).transform((text, ctx) => {
    const ms = parseOverlap(text);
    if (ms >= least && ms <= most) return ms;
    ctx.addIssue({ code: 'custom', message: `expected ${shortText(least)} to ${shortText(most)}` });
    return z.NEVER;
  });
export const MAX_SPAN_MS = 7 * DAY_MS;

const secret = z.string().min(1).max(8_192);
/** ASCII characters allowed in a header. */
const bearer = z.string().regex(/^[!-~]{1,8192}$/, 'expected up to 8,192 printable ASCII characters without blanks');
/** Documents `URL` in OpenAPI; the server checks which addresses are allowed. */
const HOST = `(?:[\\w-]+\\.)*[A-Za-z_][\\w-]*|${IPV4}|\\[(?:${IPV6})\\]`;
const URL_PATTERN = `^\\s*[Hh][Tt][Tt][Pp][Ss]?://(?:${HOST})(?::${digitsPattern(0, 65_535)})?(?:/[^\\s?#]*)?\\s*$`;
const Auth = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('bearer'), token: bearer }),
    z.strictObject({ type: z.literal('token'), token: bearer }).meta({ description: 'NetBox API token, v1 or v2' }),
    z.strictObject({ type: z.literal('basic'), username: z.string().min(1).max(255), password: secret }),
  ])
  .meta({ id: 'TopologySourceAuth', description: 'Never returned' });

export const SourceName = z
  .string()
  .regex(SOURCE_NAME, 'expected 1 to 128 letters, digits, dots, hyphens or underscores')
  .meta({ example: 'prod' });
export const SourcePath = z.object({ name: SourceName });

export const SourcePutBody = z
  .strictObject({
    kind: z.enum(SOURCE_KINDS),
    url: z.string().trim().min(1).max(2_048).optional().meta({
      description:
        'Base URL. Private addresses require FAULTLINE_OUTBOUND_ALLOW. May be omitted for kubernetes: then it is the cluster that Faultline runs in',
      example: 'https://prometheus.example.com',
      pattern: URL_PATTERN,
    }),
    auth: Auth.optional().meta({ description: 'Omitted: unchanged while the URL is the same' }),
    ca: z
      .string()
      .trim()
      .max(65_536)
      .regex(/^-----BEGIN CERTIFICATE-----\s/, 'expected certificates in PEM format')
      .optional()
      .meta({ description: 'Certificate authorities of a Kubernetes API server, PEM' }),
    every: span(MIN_EVERY_MS, DAY_MS)
      .optional()
      .meta({
        description: `Time between runs, from 1s to 1d; default ${shortText(DEFAULT_EVERY_MS)}, for netbox ${shortText(NETBOX_EVERY_MS)}`,
      }),
    grace: span(MIN_GRACE_MS, MAX_SPAN_MS)
      .meta({
        description: `Time until a missing CI is retired, from 10s to 7d; default ${shortText(DEFAULT_GRACE_MS)}`,
      })
      .prefault(shortText(DEFAULT_GRACE_MS)),
    cluster: z
      .string()
      .trim()
      .regex(/^[^\s/*]{1,63}$/, 'expected up to 63 characters without slashes and blanks')
      .optional()
      .meta({ description: 'Name of the cluster; for series without a cluster label' }),
    roles: z
      .array(z.string().min(1).max(100))
      .max(100)
      .optional()
      .meta({
        description:
          'NetBox device roles (slugs) from upstream to downstream, as cables have no direction; default: by common names',
        example: ['core-router', 'firewall', 'access-switch'],
      }),
    paused: z.boolean().default(false),
  })
  .meta({
    id: 'TopologySourcePut',
    example: { kind: 'prometheus', url: 'https://prometheus.example.com', every: '1m', grace: '10m', cluster: 'prod' },
  })
  .transform(({ every, grace, cluster = null, url = null, ca = null, roles, ...rest }) => ({
    ...rest,
    url,
    ca,
    everyMs: every ?? (rest.kind === 'netbox' ? NETBOX_EVERY_MS : DEFAULT_EVERY_MS),
    graceMs: grace,
    cluster,
    ...(roles !== undefined && { roles }),
  }));
export type SourceInput = z.output<typeof SourcePutBody>;

export const DryRunQuery = z.strictObject({ dry_run: flag().optional() });
export const RunBody = z
  .strictObject({
    full: z.boolean().optional().meta({ description: 'No effect: runs of polled sources are always full' }),
  })
  .meta({ id: 'TopologySourceRunRequest' });

const count = z.int().min(0);
const Counts = z
  .object({
    total: count.meta({ description: 'Reported now' }),
    created: count,
    updated: count,
    unchanged: count,
    ended: count,
    missing: count.meta({ description: 'No longer reported; retired after the grace period' }),
    failed: count,
  })
  .meta({ id: 'TopologyCounts' });
export const RunCountsBody = z
  .object({
    cis: Counts,
    relationships: Counts,
    pods: count.meta({ description: 'Pods bound to their workload' }),
    alerts: count.nullable().meta({ description: 'Firing alerts; null: not known' }),
  })
  .meta({ id: 'TopologyRunCounts' });
export const countsBody = (counts: RunCounts): z.output<typeof RunCountsBody> => ({
  ...counts,
  alerts: counts.alerts ?? null,
});

const Names = z
  .object({
    created: z.array(z.string()),
    updated: z.array(z.string()),
    missing: z.array(z.string()),
    ended: z.array(z.string()),
  } satisfies Record<keyof ChangedNames, z.ZodType>)
  .meta({ id: 'TopologyChangedNames', description: 'Up to 20 names each' });
const Changes = z.object({ cis: Names, relationships: Names }).meta({ id: 'TopologyChanges' });
const ChangingRunBody = z
  .object({ at: IsoTime, counts: RunCountsBody, changes: Changes })
  .meta({ id: 'TopologyChangingRun' });

export const Held = z
  .object({
    cis: count,
    of_cis: count,
    relationships: count,
    of_relationships: count,
    since: IsoTime,
    examples: z.array(z.string()).meta({ description: 'Keys of some of the CIs' }),
  })
  .meta({ id: 'TopologyHeld', description: 'CIs and relationships to be retired once the run is confirmed' });

export const heldBody = (held: HeldEndings | null): z.output<typeof Held> | null =>
  held && {
    cis: held.cis,
    of_cis: held.ofCis,
    relationships: held.edges,
    of_relationships: held.ofEdges,
    since: iso(held.since),
    examples: [...held.examples],
  };

export const SourceBody = z
  .object({
    name: z.string(),
    kind: z.enum([...SOURCE_KINDS, SYNCED]),
    url: z.string().nullable(),
    ca: z.string().nullable(),
    auth: z.object({ type: z.string() }).meta({ id: 'TopologySourceAuthType' }).nullable(),
    every: z.string().nullable(),
    grace: z.string(),
    cluster: z.string().nullable(),
    roles: z.array(z.string()).optional().meta({ description: 'NetBox device roles from upstream to downstream' }),
    paused: z.boolean(),
    last_run: IsoTime.nullable(),
    counts: RunCountsBody.nullable(),
    stale_since: IsoTime.nullable().meta({
      description: 'Time of the first consecutive failed run; null when healthy',
    }),
    error: z.string().nullable(),
    error_code: z.enum(SOURCE_FAILURES).nullable().meta({ description: 'Why the last run failed, if known' }),
    held: Held.nullable(),
    last_change: ChangingRunBody.nullable().meta({ description: 'Last run that changed something' }),
    created_at: IsoTime,
    updated_at: IsoTime,
  })
  .meta({ id: 'TopologySource' });
export const SourceRunBody = SourceBody.extend({
  run: RunCountsBody.nullable().meta({ description: 'Result of this run, or expected result of a dry run' }),
  changes: Changes.nullable().meta({ description: 'Changes of this run, or expected changes of a dry run' }),
  errors: z.array(z.string()).meta({ description: 'Errors of some of the failed CIs and relationships' }),
}).meta({ id: 'TopologySourceRun' });

/** Fields for the audit log, without secrets. */
export const sourceFacts = ({ name, kind, url, auth, everyMs, graceMs, cluster, roles, paused }: TopologySource) => ({
  name,
  kind,
  url,
  auth: auth && { type: auth.type },
  every: everyMs === 0 ? null : shortText(everyMs),
  grace: shortText(graceMs),
  cluster,
  ...(roles !== undefined && { roles: [...roles] }),
  paused,
});

export const sourceBody = (source: TopologySource, state: TopologySourceState): z.output<typeof SourceBody> => ({
  ...sourceFacts(source),
  ca: source.ca ?? null,
  last_run: isoOrNull(state.lastRun),
  counts: state.counts && countsBody(state.counts),
  stale_since: isoOrNull(state.staleSince),
  error: state.error,
  error_code: state.errorCode ?? null,
  held: heldBody(state.held),
  last_change: state.lastChange && {
    at: iso(state.lastChange.at),
    counts: countsBody(state.lastChange.counts),
    changes: state.lastChange.changes,
  },
  created_at: iso(source.createdAt),
  updated_at: iso(source.updatedAt),
});
