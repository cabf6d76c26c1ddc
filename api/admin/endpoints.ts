import { type Context, endpoint, mount, on } from '#api/surfaces/endpoint.ts';
import { settingsHistory } from '#api/surfaces/settings-history.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import { type AuditFilter, listAudit } from '#application/access/list-audit.ts';
import { type ClockConfirmation, confirmClock } from '#application/operations/clock-watch.ts';
import { pauseSink, resumeSink } from '#application/operations/pause-sinks.ts';
import { isPlatformAdmin } from '#application/operations/platform-admin.ts';
import {
  readSettings,
  replaceOverrides,
  type SettingsPlace,
  type StoredTenantSettings,
} from '#application/tenants/settings.ts';
import { ROLE_PERMISSIONS, ROLES, type Role } from '#domain/access/permissions.ts';
import type { AuditRecord } from '#domain/access/records.ts';
import { DEFAULT_LIFECYCLE } from '#domain/event/lifecycle/lifecycle.ts';
import { rounded } from '#domain/numbers.ts';
import type { Page } from '#domain/page.ts';
import { type PipelineStep, type ProcessorStanding, STEP_MS } from '#domain/pipeline/history.ts';
import type { Pause } from '#domain/pipeline/sinks.ts';
import type { TopicReport } from '#domain/ports/operations.ts';
import { AuditQuery, AuditView, IdPath, RoleView, ShortListQuery } from '#schemas/http/admin/admin.ts';
import { LifecyclePut, type LifecyclePutInput, LifecycleReply } from '#schemas/http/admin/lifecycle.ts';
import { ClockView, PipelineHistoryView, SinkView, TopicView } from '#schemas/http/admin/operations.ts';
import { wrapped, wrappedList } from '#schemas/http/envelope.ts';
import type { Paging } from '#schemas/http/paging.ts';
import { iso } from '#schemas/http/time.ts';
import { deadLetterEndpoints } from './dead-letter-endpoints.ts';
import { limitEndpoints } from './limit-endpoints.ts';
import { showPipeline } from './pipeline.ts';
import { listRejected } from './rejected.ts';
import { settingsEndpoints } from './settings-endpoints.ts';
import { sourceEndpoints } from './source-endpoints.ts';
import { sourceMappingEndpoints } from './source-mapping-endpoints.ts';
import { teamEndpoints } from './team-endpoints.ts';
import { tenantEndpoints } from './tenant-endpoints.ts';
import { tokenEndpoints } from './token-endpoints.ts';
import { userEndpoints } from './user-endpoints.ts';

interface PipelineHistory {
  readonly steps: readonly PipelineStep[];
  /** Null: all of it. */
  readonly ofPartition: number | null;
}

const lagOf = ({ lags }: ProcessorStanding, partition: number | null): number | null => {
  if (partition !== null) return lags.get(partition) ?? null;
  return [...lags.values()].reduce((sum, lag) => sum + lag, 0);
};

const stageOf = (name: string, { steps, ofPartition }: PipelineHistory) => {
  const each = (of: (standing: ProcessorStanding, ms: number) => number | null) =>
    steps.map(({ stages, ms }) => {
      const standing = stages.get(name);
      return standing === undefined ? null : of(standing, ms);
    });
  const ofAll = (of: (standing: ProcessorStanding, ms: number) => number | null) =>
    each((standing, ms) => (ofPartition === null ? of(standing, ms) : null));
  return {
    name,
    lag: each((standing) => lagOf(standing, ofPartition)),
    read_per_second: ofAll(({ tally }, ms) => rounded((tally.read / ms) * 1_000)),
    emitted_per_second: ofAll(({ tally }, ms) => rounded((tally.emitted / ms) * 1_000)),
    errors: ofAll(({ tally }) => tally.errors),
    batch_ms: ofAll(({ tally: { batches, seconds } }) => (batches === 0 ? null : rounded((seconds / batches) * 1_000))),
  };
};

const view = (shown: PipelineHistory) => ({
  step_seconds: STEP_MS / 1_000,
  at: shown.steps.map(({ at }) => iso(at)),
  stages: [...(shown.steps.at(-1)?.stages.keys() ?? [])].map((name) => stageOf(name, shown)),
});

const showPipelineHistory = endpoint<void, PipelineHistory>({
  id: 'admin.pipeline.history',
  summary: 'Get pipeline metrics of the last hour',
  description:
    'Measured by the responding process since it started. Lag covers the partition of the tenant; for platform administrators, all partitions.',
  tag: 'Operations',
  permission: 'pipeline.read',
  mounts: on.platform.get('/admin/pipeline/history', {
    reply: wrapped(PipelineHistoryView),
    read: () => undefined,
    present: (shown) => ({ body: view(shown) }),
  }),
  handle: async (_, context) => ({
    steps: context.ports.memory.pipeline.steps,
    ofPartition: isPlatformAdmin(context) ? null : context.ports.operations.partitionOf(context.tenant),
  }),
});

interface SinkPause {
  readonly name: string;
  readonly pause: Pause | null;
}

const ask = (
  verb: 'pause' | 'resume',
  summary: string,
  description: string,
  work: (context: Context, name: string) => Promise<Pause | null>,
) =>
  endpoint<string, SinkPause>({
    id: `admin.sinks.${verb}`,
    summary,
    description,
    tag: 'Operations',
    permission: 'pipeline.manage',
    mounts: on.platform.post(`/admin/pipeline/{id}/${verb}`, {
      params: IdPath,
      reply: wrapped(SinkView),
      read: ({ params }) => params.id,
      present: ({ name, pause }) => ({
        body: { name, paused: pause === null ? null : { by: pause.by, at: iso(pause.at) } },
      }),
    }),
    handle: async (name, context) => ({ name, pause: await work(context, name) }),
  });

const sinkEndpoints = [
  ask(
    'pause',
    'Pause a sink',
    'Takes effect in all processes within 5 seconds and persists across restarts. Records are queued for up to 7 days or 2,000,000 records in embedded mode, and for the topic retention in distributed mode. Platform administrators only. Returns 409 for processors that are not sinks.',
    pauseSink,
  ),
  ask(
    'resume',
    'Resume a sink',
    "Takes effect in all processes within 5 seconds. No effect on a sink that isn't paused. Platform administrators only.",
    async (context, name) => {
      await resumeSink(context, name);
      return null;
    },
  ),
];

interface TopicsPage {
  readonly paging: Paging;
  readonly topics: readonly TopicReport[];
  /** True if offsets are shown, which reveal the records of all tenants. */
  readonly whole: boolean;
}

const viewOf =
  (whole: boolean) =>
  ({ name, key, storage, compacted, retentionMs, schema, partitions }: TopicReport) => ({
    name,
    key,
    storage,
    compacted,
    retention_ms: retentionMs,
    schema,
    partitions: partitions.length,
    offsets: whole ? partitions : [],
  });

const listTopics = endpoint<Paging, TopicsPage>({
  id: 'admin.topics.list',
  summary: 'List topics',
  description: 'Schemas are in /asyncapi.json.',
  tag: 'Operations',
  permission: 'pipeline.read',
  mounts: on.platform.get('/admin/topics', {
    query: ShortListQuery,
    reply: wrappedList(TopicView),
    read: ({ query }) => query,
    present: ({ paging: { page, limit }, topics, whole }) => ({
      body: topics.slice((page - 1) * limit, page * limit).map(viewOf(whole)),
      page: { page, limit, total: topics.length },
    }),
  }),
  handle: async (paging, context) => ({
    paging,
    topics: await context.ports.operations.topics(),
    whole: isPlatformAdmin(context),
  }),
});

const LIFECYCLE: SettingsPlace = { kind: 'settings', id: 'lifecycle', action: 'settings.lifecycle.updated' };

const common = {
  on: 'platform',
  path: '/admin/settings/lifecycle',
  reply: wrapped(LifecycleReply),
  ...settingsReply((overrides) => ({
    effective: { ...DEFAULT_LIFECYCLE, ...overrides },
    overrides,
    defaults: DEFAULT_LIFECYCLE,
  })),
} as const;

const getLifecycle = endpoint<void, StoredTenantSettings>({
  id: 'admin.settings.lifecycle.get',
  summary: 'Get lifecycle settings (auto-resolve, maintenance)',
  tag: 'Administration',
  permission: 'settings.read',
  mounts: mount({ ...common, method: 'get', read: () => undefined }),
  handle: (_, context) => readSettings(context, LIFECYCLE),
});

const putLifecycle = endpoint<LifecyclePutInput, StoredTenantSettings>({
  conditional: true,
  id: 'admin.settings.lifecycle.put',
  summary: 'Replace lifecycle settings (auto-resolve, maintenance)',
  description: 'Replaces all settings. Omitted fields use the default; null disables auto-resolve.',
  tag: 'Administration',
  permission: 'settings.manage',
  mounts: mount({ ...common, method: 'put', body: LifecyclePut, read: ({ body }) => body }),
  async handle(overrides, context) {
    const replaced = await replaceOverrides(context, LIFECYCLE, overrides);
    context.ports.memory.silences.forget(context.tenant);
    return replaced;
  },
});

const lifecycleEndpoints = [
  getLifecycle,
  putLifecycle,
  ...settingsHistory({
    id: 'admin.settings.lifecycle',
    words: 'lifecycle settings',
    place: LIFECYCLE,
    at: common,
    body: LifecyclePut,
    changed: ({ ports, tenant }) => ports.memory.silences.forget(tenant),
  }),
];

const clockConfirmation = endpoint<void, ClockConfirmation>({
  id: 'admin.clock.confirm',
  summary: 'Confirm the system clock',
  description:
    'Jobs that delete or expire data pause for an hour after the system clock changes. Confirming resumes them within 10 seconds in every process whose clock agrees with the responding process. Platform administrators only.',
  tag: 'Operations',
  permission: 'pipeline.manage',
  mounts: on.platform.post('/admin/pipeline/clock/confirm', {
    reply: wrapped(ClockView),
    read: () => undefined,
    present: ({ at }) => ({ body: { confirmed_at: iso(at) } }),
  }),
  handle: (_, context) => confirmClock(context),
});

const roleView = (name: Role) => ({ name, permissions: ROLE_PERMISSIONS[name] });

const listRoles = endpoint<Paging, Paging>({
  id: 'admin.roles.list',
  summary: 'List roles and permissions',
  tag: 'Administration',
  permission: 'settings.read',
  mounts: on.platform.get('/admin/roles', {
    query: ShortListQuery,
    reply: wrappedList(RoleView),
    read: ({ query }) => query,
    present: ({ page, limit }) => ({
      body: ROLES.slice((page - 1) * limit, page * limit).map(roleView),
      page: { page, limit, total: ROLES.length },
    }),
  }),
  handle: async (paging) => paging,
});

const listAuditRecords = endpoint<AuditFilter, { readonly limit: number; readonly found: Page<AuditRecord> }>({
  id: 'admin.audit.list',
  summary: 'List audit log entries',
  description: 'Scans up to 10,000 records per request. Continue with pagination.nextCursor.',
  tag: 'Administration',
  permission: 'audit.read',
  mounts: on.platform.get('/admin/audit', {
    query: AuditQuery,
    reply: wrappedList(AuditView),
    read: ({ query }) => query,
    present: ({ limit, found: { items, total, nextCursor } }) => ({
      body: items.map((record) => ({ ...record, at: iso(record.at) })),
      page: { page: 1, limit, total, nextCursor },
    }),
  }),
  handle: async (filter, context) => ({ limit: filter.limit, found: await listAudit(context, filter) }),
});

export const adminEndpoints = [
  ...tenantEndpoints,
  ...userEndpoints,
  ...teamEndpoints,
  ...tokenEndpoints,
  ...sourceEndpoints,
  ...sourceMappingEndpoints,
  listRoles,
  ...settingsEndpoints,
  ...lifecycleEndpoints,
  ...limitEndpoints,
  listAuditRecords,
  listRejected,
  showPipeline,
  showPipelineHistory,
  ...sinkEndpoints,
  clockConfirmation,
  listTopics,
  ...deadLetterEndpoints,
];
