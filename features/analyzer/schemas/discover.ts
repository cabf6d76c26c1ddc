import { z } from 'zod';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { always } from '#schemas/http/always.ts';
import { FILLED_LIST, fieldsOf, oneShapeOf } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime, Time } from '#schemas/http/time.ts';
import { EnrichedBody } from './enrich.ts';
import { NamedItem, nameOfItem, sentOn, shortText } from './servers.ts';

/** Servers that processes, software, ports and names lead to (docs/services.md). */

const MAX_ITEMS = 100;
const MAX_PATTERNS = 20;
const MAX_SEEDS = 500;
const EXPECTED = 'expected at least one of processes, software, ports, searchPatterns, existingServerIds';

const port = z.int().min(1).max(65_535);
const Port = z.union([port, z.looseObject({ port })], {
  error: 'expected a port or an object with a port, from 1 to 65535',
});
const names = z.array(NamedItem).max(MAX_ITEMS).nullish();
/** A pattern of wildcards and single letters would find everything. */
const patterns = z
  .array(shortText.meta({ pattern: '[^\\s*?]{2}' }))
  .max(MAX_PATTERNS)
  .nullish();

const TimeRange = z
  .looseObject({ start: Time.nullish(), end: Time.nullish() })
  .check(
    always(({ value, issues }) => {
      const { start, end } = value;
      if (typeof start === 'number' && typeof end === 'number' && start > end)
        issues.push({ code: 'custom', input: value, path: ['end'], message: 'must not be before start' });
    }),
  )
  .meta({ description: 'Only include scan data from this period' });

/** Fields that `enrich` finds, and fields that a caller names. */
const looked = {
  processes: names.meta({ description: 'Process names' }),
  software: names.meta({ description: 'Software names; versions are ignored' }),
  ports: z.array(Port).max(MAX_ITEMS).nullish(),
  searchPatterns: z
    .looseObject({
      hostnames: patterns.meta({ description: 'Pattern; * matches any characters, ? exactly one' }),
      processes: names,
      software: names,
    })
    .nullish()
    .meta({ description: 'Result of enrich' }),
};
const Looked = z.looseObject(looked);
/** One of their lists has something. */
const LOOKED = [
  ...fieldsOf(FILLED_LIST, 'processes', 'software', 'ports'),
  ...fieldsOf({ type: 'object', anyOf: fieldsOf(FILLED_LIST, 'hostnames', 'processes', 'software') }, 'searchPatterns'),
];

export const DiscoverServers = z
  .strictObject({
    ...sentOn(EnrichedBody, ['enrichedData']),
    ...looked,
    enrichedData: Looked.nullish().meta({ description: 'Result of enrich; combined with the other lists' }),
    timeRange: TimeRange.nullish(),
    existingServerIds: z
      .array(shortText)
      .max(MAX_SEEDS)
      .nullish()
      .meta({ description: 'CIs known to belong to the service' }),
    includeAllConnections: z.boolean().nullish().meta({ description: 'Include connections to other hosts' }),
  })
  .check(
    always(({ value, issues }) => {
      const lists = [value, value.enrichedData ?? {}].flatMap(({ processes, software, ports, searchPatterns }) => [
        processes,
        software,
        ports,
        searchPatterns?.hostnames,
        searchPatterns?.processes,
        searchPatterns?.software,
      ]);
      const all = [...lists, value.existingServerIds];
      if (!all.some((list) => Array.isArray(list) && list.length > 0))
        issues.push({ code: 'custom', input: value, path: ['processes'], message: EXPECTED });
    }),
  )
  .meta({
    id: 'DiscoverServers',
    ...oneShapeOf(
      ...LOOKED,
      ...fieldsOf(FILLED_LIST, 'existingServerIds'),
      ...fieldsOf({ type: 'object', anyOf: LOOKED }, 'enrichedData'),
    ),
    example: { processes: ['postgres'], ports: [{ port: 5432 }], searchPatterns: { hostnames: ['shop-*'] } },
  });

/** The end of time that a range without an end has, ms. */
const NEVER = 8.64e15;

/** Returns the search in the form of the use case. */
export const discoverAsked = (asked: z.output<typeof DiscoverServers>) => {
  const { timeRange, existingServerIds, includeAllConnections, enrichedData } = asked;
  const all = [asked, enrichedData ?? {}];
  const { start, end } = timeRange ?? {};
  return {
    processes: all.flatMap((of) => [...(of.processes ?? []), ...(of.searchPatterns?.processes ?? [])]).map(nameOfItem),
    software: all.flatMap((of) => [...(of.software ?? []), ...(of.searchPatterns?.software ?? [])]).map(nameOfItem),
    ports: all.flatMap((of) => of.ports ?? []).map((one) => (typeof one === 'number' ? one : one.port)),
    hosts: all.flatMap((of) => of.searchPatterns?.hostnames ?? []),
    timeRange: start == null && end == null ? null : { from: start ?? 0, to: end ?? NEVER },
    seeds: [...new Set(existingServerIds ?? [])],
    includeAll: includeAllConnections ?? false,
  };
};

const DiscoveredServer = z
  .object({
    ciId: z.string(),
    hostname: z.string(),
    ipAddress: z.string().nullable(),
    operatingSystem: z.string().nullable(),
    type: z.string(),
    installedSoftware: z.array(z.object({ name: z.string(), version: z.string().nullable() })),
    runningProcesses: z.array(
      z.object({
        name: z.string(),
        port: z.int().nullable().meta({ description: 'Listening port; null: only seen as a connection' }),
        lastSeen: IsoTime,
      }),
    ),
    score: z.number().min(0).max(1).meta({ description: 'Match score; servers with 0.5 or more are returned' }),
    matched: z.array(z.string()).meta({ description: 'Evidence' }),
  })
  .meta({ id: 'DiscoveredServer' });

const DiscoveredConnection = z
  .object({
    source: z.string().meta({ description: 'CI ID' }),
    target: z.string().nullable().meta({ description: 'CI ID; null if no CI has the address' }),
    sourceHostname: z.string(),
    targetHostname: z.string().meta({ description: 'Address, if no CI matches' }),
    process: z.string(),
    port: z.int().nullable(),
    protocol: z.string().nullable().meta({ description: 'null if the target has no known listener' }),
    frequency: z.int().min(0),
    firstSeen: IsoTime,
    lastSeen: IsoTime,
  })
  .meta({ id: 'DiscoveredConnection' });

const count = z.int().min(0);
export const DiscoveredBody = succeeded({
  servers: z.array(DiscoveredServer).meta({ description: 'Up to 500: given servers first, then by score' }),
  connections: z.array(DiscoveredConnection).meta({ description: 'At most 10,000' }),
  statistics: z.object({ totalServers: count, totalConnections: count, uniqueProcesses: count }),
  truncated: z.boolean().meta({ description: 'True if more may exist' }),
  ...evidenceFields,
});
