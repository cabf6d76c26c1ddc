import { z } from 'zod';
import { onBoth, onBothLinked, onBothList } from '#api/surfaces/both.ts';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { entityTag } from '#application/records/if-match.ts';
import { pageFrom } from '#application/records/list-records.ts';
import { everyService } from '#application/services/service-store.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { invalid } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { Service } from '#domain/services/service.ts';
import type { ServiceTrend } from '#features/services/rules/past-health.ts';
import {
  type Assessed,
  HealthHistory,
  HealthTrend,
  type HealthyService,
  healthHistory,
  healthTrend,
  NewService,
  type NewServiceInput,
  ServiceBody,
  ServicePatch,
  type ServicePatchInput,
  serviceBody,
} from '#features/services/schemas/services.ts';
import { assess } from '#features/services/use-cases/assess.ts';
import { readHealthTrends, readPastHealth, type ServicePast } from '#features/services/use-cases/past-health.ts';
import {
  changeService,
  createService,
  readService,
  removeService,
  type ServiceChange,
} from '#features/services/use-cases/services.ts';
import { commaList, commaWords, Message, searchText, wholeNumber } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { type Paging, pageFields, pageInfo, withinWindow } from '#schemas/http/paging.ts';

const reading = { tag: 'Services', permission: 'services.read', limit: 'standard' } as const;
const writing = { tag: 'Services', permission: 'services.write', limit: 'standard' } as const;

export const ServicePath = z.object({ id: z.string() });
const Query = z
  .strictObject({
    search: searchText().optional(),
    criticality: commaList(CRITICALITIES).optional(),
    ...pageFields({ limit: 20, max: 100 }),
  })
  .check(withinWindow);
type ServiceListQuery = z.output<typeof Query>;

interface ServicesPage {
  readonly paging: Paging;
  readonly found: Page<HealthyService>;
}
const presentList = ({ paging, found }: ServicesPage) => ({
  body: found.items.map(serviceBody),
  page: pageInfo(paging, found),
});

const isAsked =
  ({ search, criticality }: ServiceListQuery) =>
  (service: Service): boolean => {
    const text = `${service.name}\n${service.description}`.toLowerCase();
    if (search !== undefined && !text.includes(search.toLowerCase())) return false;
    return criticality === undefined || criticality.includes(service.criticality);
  };

type PageKey = Pick<Service, 'name' | 'id'>;
const byName = (a: PageKey, b: PageKey): number => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);

/** Name and id of the last service shown, so that the next page is found when it has gone. */
const cursorOf = ({ name, id }: PageKey): string => Buffer.from(JSON.stringify([name, id])).toString('base64url');
const Cursor = z.tuple([z.string(), z.string()]);
const pageKeyOf = (cursor: string): PageKey => {
  try {
    const [name, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { name, id };
  } catch {
    throw invalid('cursor', 'invalid cursor');
  }
};

const startOf = (services: readonly Service[], { page, limit, cursor }: Paging): number => {
  if (cursor === undefined) return (page - 1) * limit;
  const last = pageKeyOf(cursor);
  return services.filter((service) => service.id === last.id || byName(service, last) < 0).length;
};

const listServices = endpoint<ServiceListQuery, ServicesPage>({
  ...reading,
  id: 'services.list',
  summary: 'List business services with their health',
  mounts: onBothList.get('/services', ServiceBody, { query: Query, read: ({ query }) => query, present: presentList }),
  async handle(query, { tenant, ports }) {
    const asked = (await everyService(ports.records, tenant)).filter(isAsked(query)).sort(byName);
    const found = pageFrom(asked, startOf(asked, query), query.limit, cursorOf);
    return { paging: query, found: { ...found, items: await assess(ports, tenant, found.items) } };
  },
});

const tagged = ({ revision }: Assessed) => ({ ETag: entityTag(revision) });
const present = (one: Assessed) => ({ body: serviceBody(one), headers: tagged(one) });

const Created = ServiceBody.extend({ message: z.string() });
const presentCreated = (prefix: string) => (one: Assessed) => ({
  status: 201,
  body: { ...serviceBody(one), message: 'Service created' },
  headers: { Location: `${prefix}/services/${one.service.id}`, ...tagged(one) },
});

const addService = endpoint<NewServiceInput, Assessed>({
  ...writing,
  id: 'services.create',
  summary: 'Create a business service',
  mounts: onBothLinked.post(
    '/services',
    Created,
    { status: 201, replyHeaders: ['Location', 'ETag'], body: NewService, read: ({ body }) => body },
    presentCreated,
  ),
  handle: (input, context) => createService(context, input),
});

const getService = endpoint<string, Assessed>({
  ...reading,
  id: 'services.get',
  summary: 'Get a business service with its health',
  mounts: onBoth.get('/services/{id}', ServiceBody, {
    params: ServicePath,
    replyHeaders: ['ETag'],
    read: ({ params }) => params.id,
    present,
  }),
  handle: (id, context) => readService(context, id),
});

interface HistoryRequest {
  readonly id: string;
  readonly days: number;
}
const getHistory = endpoint<HistoryRequest, ServicePast>({
  ...reading,
  limit: 'query',
  id: 'services.health-history',
  summary: 'Get the health of a service by day',
  description: 'From stored events, with the components and relationships of that time.',
  mounts: onBoth.get('/services/{id}/health', HealthHistory, {
    params: ServicePath,
    query: z.strictObject({ days: wholeNumber(1, 90).default(30) }),
    read: ({ params, query }): HistoryRequest => ({ id: params.id, days: query.days }),
    present: (past) => ({ body: healthHistory(past) }),
  }),
  handle: ({ id, days }, context) => readPastHealth(context, id, days),
});

const getTrends = endpoint<readonly string[], readonly ServiceTrend[]>({
  ...reading,
  limit: 'query',
  id: 'services.health-trends',
  summary: 'Get the health of services by hour',
  description:
    'Last 24 hours, from stored events, with the components and relationships of that time, up to 2,000 components.',
  mounts: on.platform.get('/services/health', {
    reply: wrapped(z.array(HealthTrend)),
    query: z.strictObject({ ids: commaWords('Comma-separated service IDs') }),
    read: ({ query: { ids } }) => ids,
    present: (trends) => ({ body: trends.map(healthTrend) }),
  }),
  handle: (ids, context) => readHealthTrends(context, ids),
});

interface Changing {
  readonly params: { id: string };
  readonly body: ServicePatchInput;
}
const updateService = endpoint<ServiceChange, Assessed>({
  ...writing,
  conditional: true,
  id: 'services.update',
  summary: 'Update a business service',
  description: 'Omitted fields are unchanged; `components` and `sla` are replaced.',
  mounts: onBoth.put('/services/{id}', ServiceBody, {
    params: ServicePath,
    body: ServicePatch,
    replyHeaders: ['ETag'],
    read: ({ params, body }: Changing): ServiceChange => ({ id: params.id, patch: body }),
    present,
  }),
  handle: (change, context) => changeService(context, change),
});

const deleteService = endpoint<string, void>({
  ...writing,
  conditional: true,
  id: 'services.delete',
  summary: 'Delete a business service',
  mounts: onBoth.delete('/services/{id}', Message, {
    params: ServicePath,
    read: ({ params }: Omit<Changing, 'body'>) => params.id,
    present: () => ({ body: { message: 'Service deleted' } }),
  }),
  handle: (id, context) => removeService(context, id),
});

export const recordEndpoints = [
  listServices,
  addService,
  getTrends,
  getService,
  getHistory,
  updateService,
  deleteService,
];
