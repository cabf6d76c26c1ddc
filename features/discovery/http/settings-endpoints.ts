import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import { type KeptSettings, patchOverrides, readSettings, type SettingsPlace } from '#application/tenants/settings.ts';
import { DEFAULT_AUTHORITY } from '#features/discovery/rules/provenance.ts';
import { DiscoverySettings, DiscoverySettingsPatch } from '#features/discovery/schemas/discovery-admin.ts';
import { DISCOVERY_SETTINGS } from '#features/discovery/use-cases/settings.ts';
import { wrapped } from '#schemas/http/envelope.ts';

type Overrides = Readonly<Record<string, unknown>>;
const DISCOVERY: SettingsPlace = {
  kind: 'settings',
  id: DISCOVERY_SETTINGS,
  action: 'settings.discovery.updated',
};

const common = {
  on: 'platform',
  path: '/admin/settings/discovery',
  reply: wrapped(DiscoverySettings),
  ...settingsReply((overrides) => ({ authority: DEFAULT_AUTHORITY, ...overrides })),
} as const;

const getSettings = endpoint<void, KeptSettings>({
  id: 'admin.settings.discovery.get',
  summary: 'Show how discovery decides between sources',
  tag: 'Administration',
  permission: 'settings.read',
  limit: 'standard',
  mounts: [mount({ ...common, method: 'get', read: () => undefined })],
  handle: (_, context) => readSettings(context, DISCOVERY),
});

const putSettings = endpoint<Overrides, KeptSettings>({
  conditional: true,
  id: 'admin.settings.discovery.put',
  summary: 'Change how discovery decides between sources; it counts for scans from then on',
  description: 'Absent fields stay, null gives back the default.',
  tag: 'Administration',
  permission: 'settings.manage',
  limit: 'standard',
  mounts: [mount({ ...common, method: 'put', body: DiscoverySettingsPatch, read: ({ body }) => body })],
  handle: (patch, context) => patchOverrides(context, DISCOVERY, patch),
});

export const discoverySettingsEndpoints = [getSettings, putSettings];
