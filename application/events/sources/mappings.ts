import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { inboundSettings } from '#application/records/tenant-settings.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import { Fault, invalid, notFound } from '#domain/fault.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { genericSource, missingFields } from '#sources/generic/generic-source.ts';
import { MAPPED_NAME, type SourceMapping } from '#sources/generic/mapping.ts';
import type { Source } from '#sources/kit/source.ts';
import { sourceNamed } from '#sources/sources.ts';

/** Mappings of a tenant: how bodies of monitoring systems that Faultline does not know become events. */
const KIND = 'source-mapping';
const MOST = 50;

export interface StoredMapping {
  readonly mapping: SourceMapping;
  readonly revision: number;
}

const find = (records: RecordStore, tenant: string, name: string): Promise<StoredRecord<SourceMapping> | null> =>
  records.get<SourceMapping>(tenant, KIND, name);

/** The source that a path segment names: a monitoring system that is known, else one that the tenant has mapped. */
export const sourceFor = async (records: RecordStore, tenant: string, segment: string): Promise<Source | undefined> => {
  const known = sourceNamed(segment);
  if (known !== undefined) return known;
  const stored = await find(records, tenant, segment.trim().toLowerCase());
  return stored === null ? undefined : genericSource(stored.id, stored.body);
};

export const listMappings = async (records: RecordStore, tenant: string): Promise<readonly Source[]> =>
  (await records.list<SourceMapping>(tenant, KIND, { limit: MOST })).map(({ id, body }) => genericSource(id, body));

/** Throws Fault `not-found`. */
export const readMapping = async (name: string, { ports, tenant }: UseCaseContext): Promise<StoredMapping> => {
  const stored = await find(ports.records, tenant, name);
  if (stored === null) throw notFound('Mapping', name);
  return { mapping: stored.body, revision: stored.revision };
};

/** Throws Fault `conflict` for a name that a monitoring system has, or when there are too many. */
const requireRoom = async (records: RecordStore, tenant: string, name: string): Promise<void> => {
  if (sourceNamed(name) !== undefined) throw new Fault('conflict', `${name} has built-in support`);
  if ((await records.list(tenant, KIND, { limit: MOST })).length >= MOST)
    throw new Fault('conflict', `Limit reached: ${MOST} mappings per tenant`);
};

const entryOf = (verb: string, name: string, before: SourceMapping | null, after: SourceMapping | null) => ({
  action: `source.mapping.${verb}`,
  target: { kind: 'source', id: name },
  before,
  after,
});

/** Throws Fault `invalid` for a name that is invalid in an address, and like `requireRoom`. */
export const putMapping = async (
  name: string,
  mapping: SourceMapping,
  context: UseCaseContext,
): Promise<StoredMapping> => {
  const { ports, tenant, ifMatch } = context;
  if (!MAPPED_NAME.test(name))
    throw invalid('name', 'expected up to 63 lowercase letters, digits, periods, hyphens and underscores');
  const stored = await find(ports.records, tenant, name);
  requireMatch(ifMatch, stored?.revision ?? 0);
  if (stored === null) await requireRoom(ports.records, tenant, name);
  const entry = entryOf(stored === null ? 'created' : 'updated', name, stored?.body ?? null, mapping);
  const options = { expected: stored?.revision ?? 0, sideRecords: [audited(context, entry)] };
  return { mapping, revision: await ports.records.put(tenant, KIND, name, mapping, options) };
};

/** Throws Fault `not-found`. Events that it made stay. */
export const dropMapping = async (name: string, context: UseCaseContext): Promise<void> => {
  const { mapping, revision } = await readMapping(name, context);
  requireMatch(context.ifMatch, revision);
  const entry = audited(context, entryOf('deleted', name, mapping, null));
  await context.ports.records.remove(context.tenant, KIND, name, [entry]);
};

export type Tried =
  | { readonly ok: true; readonly action: MonitorAction; readonly missing: readonly string[] }
  | { readonly ok: false; readonly error: string; readonly missing: readonly string[] };

export interface MappingTrial {
  readonly name: string;
  /** Absent: the stored one. */
  readonly mapping: SourceMapping | undefined;
  readonly sample: unknown;
}

/**
 * Returns the result of a mapping for a body, entry by entry; nothing is stored. Throws Fault `invalid` for a body
 * without entries.
 */
export const tryMapping = async (
  { name, mapping: given, sample }: MappingTrial,
  context: UseCaseContext,
): Promise<readonly Tried[]> => {
  const mapping = given ?? (await readMapping(name, context)).mapping;
  const settings = await inboundSettings(context.ports.records, context.tenant);
  const { receivedAt } = context;
  const { items } = genericSource(name, mapping).read({ body: sample, headers: {}, receivedAt }, settings);
  const missing = missingFields(name, mapping, sample);
  return items.map((item, index) => ({
    ...(item.ok ? { ok: true as const, action: item.action } : { ok: false as const, error: item.error }),
    missing: missing[index] ?? [],
  }));
};
