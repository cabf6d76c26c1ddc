import { z } from 'zod';
import { both, bothList } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { entityTag } from '#application/records/if-match.ts';
import type { Page } from '#domain/page.ts';
import {
  countsBody,
  DryRunQuery,
  RunBody,
  SourceBody,
  type SourceInput,
  SourcePath,
  SourcePutBody,
  SourceRunBody,
  sourceBody,
} from '#features/topology-sources/schemas/sources.ts';
import {
  type AskedRun,
  deleteSource,
  listSources,
  type PutSource,
  readSource,
  runNow,
  type ShownRun,
  type ShownSource,
  type SourcePut,
  saveSource,
} from '#features/topology-sources/use-cases/managing/manage-sources.ts';
import type { SourceRun } from '#features/topology-sources/use-cases/run-source.ts';
import type { WatchedSource } from '#features/topology-sources/use-cases/stored/source-store.ts';
import { Message } from '#schemas/http/common.ts';
import { type Paging, pageFields, pageInfo, withinWindow } from '#schemas/http/paging.ts';

const reading = { tag: 'CMDB', permission: 'cmdb.read', limit: 'query' } as const;
const managing = { tag: 'CMDB', permission: 'settings.manage', limit: 'standard' } as const;
const ONE = { path: '/cmdb/sources/{name}', params: SourcePath } as const;
type Named = { readonly params: { readonly name: string } };
type Asked = { readonly query: { readonly dry_run?: boolean | undefined } };

const Query = z.strictObject(pageFields({ limit: 20, max: 100 })).check(withinWindow);
interface SourcesPage {
  readonly paging: Paging;
  readonly found: Page<WatchedSource>;
}
const listed = {
  method: 'get',
  path: '/cmdb/sources',
  query: Query,
  read: ({ query }: { query: Paging }) => query,
  present: ({ paging, found }: SourcesPage) => ({
    body: found.items.map(({ source, state }) => sourceBody(source, state)),
    page: pageInfo(paging, found),
  }),
} as const;
const list = endpoint<Paging, SourcesPage>({
  ...reading,
  id: 'cmdb.sources.list',
  summary: 'List topology sources',
  mounts: bothList(listed, SourceBody),
  handle: async (paging, context) => ({ paging, found: await listSources(context, paging) }),
});

const got = {
  ...ONE,
  method: 'get',
  replyHeaders: ['ETag'],
  read: ({ params }: Named) => params.name,
  present: ({ source, state, revision }: ShownSource) => ({
    body: sourceBody(source, state),
    headers: { ETag: entityTag(revision) },
  }),
} as const;
const get = endpoint<string, ShownSource>({
  ...reading,
  id: 'cmdb.sources.get',
  summary: 'Get a topology source',
  mounts: both(got, SourceBody),
  handle: (name, context) => readSource(context, name),
});

const runBody = (run: SourceRun | null) => ({
  run: run && countsBody(run.counts),
  changes: run?.applied.changes ?? null,
  errors: [...(run?.applied.errors ?? [])],
});

const put = {
  ...ONE,
  method: 'put',
  query: DryRunQuery,
  body: SourcePutBody,
  alsoStatus: [201],
  replyHeaders: ['ETag'],
  read: ({ params, query, body }: Named & Asked & { body: SourceInput }): SourcePut => ({
    name: params.name,
    input: body,
    dryRun: query.dry_run ?? false,
  }),
  present: ({ source, state, revision, isNew, run }: PutSource) => ({
    status: isNew && run === null ? 201 : 200,
    body: { ...sourceBody(source, state), ...runBody(run) },
    headers: { ETag: entityTag(revision) },
  }),
} as const;
const save = endpoint<SourcePut, PutSource>({
  ...managing,
  conditional: true,
  takesLong: true,
  id: 'cmdb.sources.put',
  summary: 'Create or replace a topology source',
  description:
    'Kind `prometheus` reads kube-state-metrics, service graph, Istio and node_exporter series. Kind `kubernetes` follows the objects and events of a cluster. Kind `netbox` reads sites, racks, power, devices, cables, virtual machines and addresses over REST. The first run starts immediately. With `dry_run=true`, reads the source and stores nothing.',
  alsoFaults: ['conflict', 'unprocessable'],
  mounts: both(put, SourceRunBody),
  handle: (input, context) => saveSource(context, input),
});

const deleted = {
  ...ONE,
  method: 'delete',
  read: ({ params }: Named) => params.name,
  present: () => ({ body: { message: 'Source deleted' } }),
} as const;
const remove = endpoint<string, void>({
  ...managing,
  conditional: true,
  takesLong: true,
  id: 'cmdb.sources.delete',
  summary: 'Delete a topology source',
  description: 'Its CIs and relationships are kept. A run in progress is waited for, at most 10s.',
  alsoFaults: ['conflict'],
  mounts: both(deleted, Message),
  handle: (name, context) => deleteSource(context, name),
});

const presentRun = ({ source, state, run }: ShownRun) => ({ body: { ...sourceBody(source, state), ...runBody(run) } });
const ran = {
  method: 'post',
  path: '/cmdb/sources/{name}/run',
  params: SourcePath,
  query: DryRunQuery,
  body: RunBody.optional(),
  read: ({ params, query }: Named & Asked): AskedRun => ({
    name: params.name,
    isDryRun: query.dry_run ?? false,
    isConfirmed: false,
  }),
  present: presentRun,
} as const;
const run = endpoint<AskedRun, ShownRun>({
  ...managing,
  takesLong: true,
  id: 'cmdb.sources.run',
  summary: 'Start a run of a topology source',
  alsoFaults: ['conflict', 'unprocessable'],
  mounts: both(ran, SourceRunBody),
  handle: (asked, context) => runNow(context, asked),
});

const confirmed = {
  method: 'post',
  path: '/cmdb/sources/{name}/confirm',
  params: SourcePath,
  read: ({ params }: Named): AskedRun => ({ name: params.name, isDryRun: false, isConfirmed: true }),
  present: presentRun,
} as const;
const confirm = endpoint<AskedRun, ShownRun>({
  ...managing,
  takesLong: true,
  id: 'cmdb.sources.confirm',
  summary: 'Confirm a held run of a topology source',
  description: 'Runs the source and retires what it no longer reports, even if that is more than 30%.',
  alsoFaults: ['conflict', 'unprocessable'],
  mounts: both(confirmed, SourceRunBody),
  handle: (asked, context) => runNow(context, asked),
});

export const sourceEndpoints = [list, get, save, remove, run, confirm];
