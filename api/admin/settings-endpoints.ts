import { forgetCallers } from '#api/access/caller-cache.ts';
import { endpoint, mount } from '#api/endpoint.ts';
import { ACCESS_KINDS, TENANT_LIMITS_ID } from '#domain/access/records.ts';
import { DEFAULT_SETTINGS, type SettingsOverrides, settingsWith } from '#domain/correlation/settings.ts';
import { Limits, LimitsPatch } from '#schemas/http/admin.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { CorrelationPatch, CorrelationReply, InboundPatch, InboundSettingsView } from '#schemas/http/settings.ts';
import { CORRELATION, INBOUND, patchOverrides, readOverrides, type SettingsPlace } from './settings.ts';

type Overrides = Readonly<Record<string, unknown>>;
const LIMITS: SettingsPlace = { kind: ACCESS_KINDS.limits, id: TENANT_LIMITS_ID, action: 'limits.updated' };

const reading = { tag: 'Administration', permission: 'settings.read', limit: 'standard' } as const;
const writing = { tag: 'Administration', permission: 'settings.manage', limit: 'standard' } as const;
const PATCH = 'What is absent stays, null gives back the default.';

const correlationView = (overrides: Overrides) => ({
  body: { effective: settingsWith(overrides as SettingsOverrides), overrides, defaults: DEFAULT_SETTINGS },
});
const inboundView = (overrides: Overrides) => ({ body: { severities: {}, snsTopics: [], ...overrides } });
const limitsView = (overrides: Overrides) => ({ body: overrides });

const correlationMount = {
  on: 'platform',
  path: '/admin/settings/correlation',
  reply: wrapped(CorrelationReply),
  present: correlationView,
} as const;
const inboundMount = {
  on: 'platform',
  path: '/admin/settings/inbound',
  reply: wrapped(InboundSettingsView),
  present: inboundView,
} as const;
const limitsMount = { on: 'platform', path: '/admin/limits', reply: wrapped(Limits), present: limitsView } as const;

const getCorrelation = endpoint<void, Overrides>({
  ...reading,
  id: 'admin.settings.correlation.get',
  summary: 'Show the correlation settings: effective, what the tenant changed, defaults',
  mounts: [mount({ ...correlationMount, method: 'get', read: () => undefined })],
  handle: (_, context) => readOverrides(context, CORRELATION),
});

const putCorrelation = endpoint<Overrides, Overrides>({
  ...writing,
  id: 'admin.settings.correlation.put',
  summary: 'Change correlation settings; they count for events that arrive from then on',
  description: PATCH,
  mounts: [mount({ ...correlationMount, method: 'put', body: CorrelationPatch, read: ({ body }) => body })],
  handle: (patch, context) => patchOverrides(context, CORRELATION, patch),
});

const getInbound = endpoint<void, Overrides>({
  ...reading,
  id: 'admin.settings.inbound.get',
  summary: 'Show how inbound webhooks are read',
  mounts: [mount({ ...inboundMount, method: 'get', read: () => undefined })],
  handle: (_, context) => readOverrides(context, INBOUND),
});

const putInbound = endpoint<Overrides, Overrides>({
  ...writing,
  id: 'admin.settings.inbound.put',
  summary: 'Change how inbound webhooks are read',
  description: PATCH,
  mounts: [mount({ ...inboundMount, method: 'put', body: InboundPatch, read: ({ body }) => body })],
  handle: (patch, context) => patchOverrides(context, INBOUND, patch),
});

const getLimits = endpoint<void, Overrides>({
  ...reading,
  id: 'admin.limits.get',
  summary: 'Show the rate limits set for the tenant',
  mounts: [mount({ ...limitsMount, method: 'get', read: () => undefined })],
  handle: (_, context) => readOverrides(context, LIMITS),
});

const putLimits = endpoint<Overrides, Overrides>({
  ...writing,
  id: 'admin.limits.put',
  summary: 'Set rate limits of the tenant, requests per minute by class',
  description: PATCH,
  mounts: [mount({ ...limitsMount, method: 'put', body: LimitsPatch, read: ({ body }) => body })],
  handle: async (patch, context) => {
    const limits = await patchOverrides(context, LIMITS, patch);
    forgetCallers(context.ports.records);
    return limits;
  },
});

export const settingsEndpoints = [getCorrelation, putCorrelation, getInbound, putInbound, getLimits, putLimits];
