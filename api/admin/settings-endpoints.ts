import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import {
  CORRELATION,
  INBOUND,
  type KeptSettings,
  patchOverrides,
  readSettings,
} from '#application/tenants/settings.ts';
import {
  DEFAULT_SETTINGS,
  type SettingsOverrides,
  settingsWith,
} from '#domain/correlation/settings/tenant-settings.ts';
import { CorrelationPatch, CorrelationReply, InboundPatch, InboundSettingsView } from '#schemas/http/admin/settings.ts';
import { wrapped } from '#schemas/http/envelope.ts';

type Overrides = Readonly<Record<string, unknown>>;

const reading = { tag: 'Administration', permission: 'settings.read', limit: 'standard' } as const;
const writing = { tag: 'Administration', permission: 'settings.manage', limit: 'standard' } as const;
const PATCH = 'Absent fields stay, null gives back the default.';

const correlationMount = {
  on: 'platform',
  path: '/admin/settings/correlation',
  reply: wrapped(CorrelationReply),
  ...settingsReply((overrides) => ({
    effective: settingsWith(overrides as SettingsOverrides),
    overrides,
    defaults: DEFAULT_SETTINGS,
  })),
} as const;
const inboundMount = {
  on: 'platform',
  path: '/admin/settings/inbound',
  reply: wrapped(InboundSettingsView),
  ...settingsReply((overrides) => ({ severities: {}, snsTopics: [], ...overrides })),
} as const;

const getCorrelation = endpoint<void, KeptSettings>({
  ...reading,
  id: 'admin.settings.correlation.get',
  summary: 'Show the correlation settings: effective, what the tenant changed, defaults',
  mounts: [mount({ ...correlationMount, method: 'get', read: () => undefined })],
  handle: (_, context) => readSettings(context, CORRELATION),
});

const putCorrelation = endpoint<Overrides, KeptSettings>({
  conditional: true,
  ...writing,
  id: 'admin.settings.correlation.put',
  summary: 'Change correlation settings; they count for events that arrive from then on',
  description: PATCH,
  mounts: [mount({ ...correlationMount, method: 'put', body: CorrelationPatch, read: ({ body }) => body })],
  handle: (patch, context) => patchOverrides(context, CORRELATION, patch),
});

const getInbound = endpoint<void, KeptSettings>({
  ...reading,
  id: 'admin.settings.inbound.get',
  summary: 'Show how inbound webhooks are read',
  mounts: [mount({ ...inboundMount, method: 'get', read: () => undefined })],
  handle: (_, context) => readSettings(context, INBOUND),
});

const putInbound = endpoint<Overrides, KeptSettings>({
  conditional: true,
  ...writing,
  id: 'admin.settings.inbound.put',
  summary: 'Change how inbound webhooks are read',
  description: PATCH,
  mounts: [mount({ ...inboundMount, method: 'put', body: InboundPatch, read: ({ body }) => body })],
  handle: (patch, context) => patchOverrides(context, INBOUND, patch),
});

export const settingsEndpoints = [getCorrelation, putCorrelation, getInbound, putInbound];
