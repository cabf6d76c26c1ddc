import { z } from 'zod';
import { DEFAULT_EXPIRES_IN, MAX_EXPIRY_MS } from '#domain/access/expiry.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { MATCH_KEYS } from '#domain/topology/match.ts';
import { SOURCES } from '#features/discovery/rules/provenance.ts';
import { SCAN_STATUSES } from '#features/discovery/rules/scan.ts';
import { tokenEnds } from '#schemas/http/admin/admin.ts';
import { always } from '#schemas/http/always.ts';
import { duration } from '#schemas/http/duration.ts';
import { pageFields, ulidCursor, withinWindow } from '#schemas/http/paging.ts';
import { IsoTime, Time } from '#schemas/http/time.ts';

/* Discovery tokens, scans, reviews, unbound hosts and settings. */

export const DISCOVERY_SCOPES = ['discovery.submit', 'discovery.read'] as const;
const scopes = z.array(z.enum(DISCOVERY_SCOPES)).min(1).max(DISCOVERY_SCOPES.length);

export const NewDiscoveryToken = z
  .strictObject({
    name: z.string().trim().min(1).max(255),
    description: z.string().max(1_024).default(''),
    expires_in: duration({ least: 1, most: MAX_EXPIRY_MS })
      .default(DEFAULT_EXPIRES_IN)
      .meta({ description: '<n> s|m|h|d|w, at most 365d' }),
    scopes: scopes.default([...DISCOVERY_SCOPES]),
  })
  .meta({ id: 'NewDiscoveryToken' });
const tokenFields = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  scopes,
  created_at: IsoTime,
  ...tokenEnds,
};
export const DiscoveryToken = z.object(tokenFields).meta({ id: 'DiscoveryToken' });
export const IssuedDiscoveryToken = z
  .object({
    ...tokenFields,
    token: z.string().nullable().meta({ description: 'Shown once; null in replayed responses' }),
    note: z.string().optional(),
    message: z.string(),
  })
  .meta({ id: 'IssuedDiscoveryToken' });

const scanFilters = {
  scanner_id: z.string().min(1).max(255).optional(),
  status: z.enum(SCAN_STATUSES).optional(),
  from: Time.optional(),
  to: Time.optional(),
};
export const ScansQuery = z
  .strictObject({ ...scanFilters, ...pageFields({ limit: 20, max: 100 }), cursor: ulidCursor })
  .check(always(withinWindow));
export const ScanDataQuery = z
  .strictObject({ ...scanFilters, ...pageFields({ limit: 10, max: 20 }), cursor: ulidCursor })
  .check(always(withinWindow));
export type ScansQuery = z.output<typeof ScansQuery>;

export const ReviewsQuery = z
  .strictObject({
    status: z.enum(['open', 'resolved', 'dismissed', 'all']).default('open'),
    ...pageFields({ limit: 20, max: 100 }),
  })
  .check(always(withinWindow));
export const Resolution = z
  .union(
    [
      z.strictObject({ ci_id: z.string().min(1).max(255) }),
      z.strictObject({ create: z.literal(true) }),
      z.strictObject({ dismiss: z.literal(true) }),
    ],
    { error: 'expected one of { "ci_id": "…" }, { "create": true }, { "dismiss": true }' },
  )
  .meta({ id: 'ReviewResolution' });
export type Resolution = z.output<typeof Resolution>;

export const ReviewView = z
  .object({
    id: z.string(),
    status: z.enum(['open', 'resolved', 'dismissed']),
    scanner_id: z.string(),
    scan_id: z.string(),
    seen_at: IsoTime,
    host: z.record(z.string(), z.unknown()).meta({ description: 'Host data from the scanner' }),
    matched_by: z.enum(MATCH_KEYS),
    reason: z.string(),
    candidates: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
    created_at: IsoTime,
    updated_at: IsoTime,
    resolution: z
      .object({
        ci_id: z.string().nullable(),
        by: z.object({ _id: z.string(), username: z.string(), name: z.string() }),
        at: IsoTime,
      })
      .nullable(),
  })
  .meta({ id: 'DiscoveryReview' });

export const UnboundHostsQuery = z.strictObject({ limit: pageFields({ limit: 100, max: 500 }).limit });
export const UnboundHosts = z
  .object({
    hosts: z.array(
      z.object({
        hostname: z.string().nullable(),
        ip_address: z.string().nullable(),
        events: z.int().min(1),
        occurrences: z.int().min(1),
        ambiguous: z.boolean().meta({ description: 'Several CIs match' }),
        last_event: z.object({
          eventId: z.string(),
          title: z.string(),
          severity: z.enum(SEVERITIES),
          lastOccurrence: IsoTime,
        }),
      }),
    ),
    events: z.int().min(0).meta({ description: 'Unresolved events without a CI' }),
    truncated: z.boolean().meta({ description: 'True if there are more hosts, or more events than were scanned' }),
  })
  .meta({ id: 'UnboundHosts' });

const authority = z
  .array(z.enum(SOURCES))
  .length(SOURCES.length)
  .refine((list) => new Set(list).size === SOURCES.length, `expected each of ${SOURCES.join(', ')} once`)
  .meta({ description: 'Source priority per attribute, highest first', uniqueItems: true });
export const DiscoverySettings = z.object({ authority }).meta({ id: 'DiscoverySettings' });
export const DiscoverySettingsPatch = z
  .strictObject({ authority: authority.nullable().optional() })
  .meta({ id: 'DiscoverySettingsPatch' });
