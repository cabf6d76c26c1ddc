import { everyService } from '#application/services/service-store.ts';
import { forgetOldest, isKept } from '#domain/lru.ts';
import type { AggregateKey } from '#domain/ports/events/event-aggregates.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import { zip } from '#domain/zip.ts';
import { readQuestion, type Understood } from '#features/questions/rules/grammar/question.ts';
import { knownNames, type TenantNames } from '#features/questions/rules/grammar/tenant-names.ts';
import type { QueryAsking } from './asking.ts';

/** A question with the names of the tenant; words that nothing else explains are looked up as names of CIs. */
export async function readTenantQuestion(asking: QueryAsking, question: string): Promise<Understood> {
  const { tenant, ports, receivedAt: now, zone } = asking;
  const names = knownNames(await tenantNames(asking));
  const first = readQuestion(question, { now, zone, names });
  const words = first.unknown.filter((word) => !names.has(word.toLowerCase()));
  if (words.length === 0) return first;
  const bindings = await ports.matcher.bind(
    tenant,
    words.map((name) => ({ ciId: name, hostname: name, ipAddress: name })),
  );
  const cis = zip(words, bindings).flatMap(([word, { ci, ambiguous }]) => (ci !== null || ambiguous ? [word] : []));
  if (cis.length === 0) return first;
  const all = new Map([...names, ...cis.map((name) => [name.toLowerCase(), 'ci'] as const)]);
  return readQuestion(question, { now, zone, names: all });
}

const SPAN_MS = 30 * 86_400_000;
const MOST = 500;
const KEPT_MS = 60_000;
const MAX_TENANTS = 1_000;

interface KnownNames {
  readonly names: Promise<TenantNames>;
  readonly validUntil: number;
}
/** Names of tenants, loaded when a question needs them. */
const NAMES: MemorySlot<Map<string, KnownNames>> = { name: 'tenant-names', open: () => new Map() };

type Loading = Pick<QueryAsking, 'tenant' | 'ports' | 'receivedAt'>;
type NamesContext = Loading & Pick<QueryAsking, 'caller'>;

async function load({ tenant, ports, receivedAt }: Loading): Promise<TenantNames> {
  const said = async (key: AggregateKey): Promise<string[]> => {
    const request = { measure: 'events', by: [key], limit: MOST } as const;
    const { buckets } = await ports.eventAggregates.aggregate(tenant, { from: receivedAt - SPAN_MS }, request);
    return buckets.flatMap(({ keys: [text] }) => text ?? []);
  };
  const [services, serviceTexts, sources, environments, { cis }] = await Promise.all([
    everyService(ports.records, tenant),
    said('service'),
    said('source'),
    said('environment'),
    ports.counts.types(tenant),
  ]);
  return {
    serviceTexts,
    sources,
    environments,
    services: services.map(({ id, name }) => ({ id, name })),
    ciTypes: cis.map(({ type }) => type),
  };
}

/** A minute old at most. */
function everyName(asking: Loading): Promise<TenantNames> {
  const { tenant, ports, receivedAt } = asking;
  const names = ports.memory.of(NAMES);
  const known = names.get(tenant);
  if (known !== undefined && isKept(known.validUntil, receivedAt, KEPT_MS)) return known.names;
  if (names.size >= MAX_TENANTS) forgetOldest(names);
  const loading = load(asking);
  names.set(tenant, { names: loading, validUntil: receivedAt + KEPT_MS });
  loading.catch(() => names.delete(tenant));
  return loading;
}

/** Names of the tenant that the caller may read: its services and types, and names in the events of 30 days. */
export async function tenantNames(asking: NamesContext): Promise<TenantNames> {
  const { permissions } = asking.caller;
  const { services, ciTypes, serviceTexts, sources, environments } = await everyName(asking);
  const ofEvents = permissions.has('events.read');
  return {
    services: permissions.has('services.read') ? services : [],
    ciTypes: permissions.has('cmdb.read') ? ciTypes : [],
    ...(ofEvents ? { serviceTexts, sources, environments } : { serviceTexts: [], sources: [], environments: [] }),
  };
}
