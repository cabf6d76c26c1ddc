import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { settingsHistory } from '#api/surfaces/settings-history.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import { NO_INBOUND } from '#application/records/tenant-settings.ts';
import {
  CORRELATION,
  INBOUND,
  type Overrides,
  patchOverrides,
  readSettings,
  type StoredTenantSettings,
} from '#application/tenants/settings.ts';
import {
  DEFAULT_SETTINGS,
  type SettingsOverrides,
  settingsWith,
} from '#domain/correlation/settings/tenant-settings.ts';
import { CorrelationPatch, CorrelationReply, InboundPatch, InboundSettingsView } from '#schemas/http/admin/settings.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const reading = { tag: 'Administration', permission: 'settings.read', limit: 'standard' } as const;
const writing = { tag: 'Administration', permission: 'settings.manage', limit: 'standard' } as const;
const PATCH = 'Omitted fields are unchanged; null resets to default.';

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
  ...settingsReply((overrides) => ({ ...NO_INBOUND, ...overrides })),
} as const;

const getCorrelation = endpoint<void, StoredTenantSettings>({
  ...reading,
  id: 'admin.settings.correlation.get',
  summary: 'Get correlation settings',
  mounts: mount({ ...correlationMount, method: 'get', read: () => undefined }),
  handle: (_, context) => readSettings(context, CORRELATION),
});

const putCorrelation = endpoint<Overrides, StoredTenantSettings>({
  conditional: true,
  ...writing,
  id: 'admin.settings.correlation.put',
  summary: 'Update correlation settings',
  description: PATCH,
  mounts: mount({ ...correlationMount, method: 'put', body: CorrelationPatch, read: ({ body }) => body }),
  handle: (patch, context) => patchOverrides(context, CORRELATION, patch),
});

const getInbound = endpoint<void, StoredTenantSettings>({
  ...reading,
  id: 'admin.settings.inbound.get',
  summary: 'Get inbound webhook settings',
  mounts: mount({ ...inboundMount, method: 'get', read: () => undefined }),
  handle: (_, context) => readSettings(context, INBOUND),
});

const putInbound = endpoint<Overrides, StoredTenantSettings>({
  conditional: true,
  ...writing,
  id: 'admin.settings.inbound.put',
  summary: 'Update inbound webhook settings',
  description: PATCH,
  mounts: mount({ ...inboundMount, method: 'put', body: InboundPatch, read: ({ body }) => body }),
  handle: (patch, context) => patchOverrides(context, INBOUND, patch),
});

export const settingsEndpoints = [
  getCorrelation,
  putCorrelation,
  ...settingsHistory({
    id: 'admin.settings.correlation',
    words: 'correlation settings',
    place: CORRELATION,
    at: correlationMount,
    body: CorrelationPatch,
  }),
  getInbound,
  putInbound,
  ...settingsHistory({
    id: 'admin.settings.inbound',
    words: 'inbound webhook settings',
    place: INBOUND,
    at: inboundMount,
    body: InboundPatch,
  }),
];
