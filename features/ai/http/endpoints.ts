import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { settingsHistory } from '#api/surfaces/settings-history.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import {
  patchOverrides,
  readSettings,
  type SettingsPlace,
  type StoredTenantSettings,
} from '#application/tenants/settings.ts';
import { DEFAULT_AI_SETTINGS } from '#domain/ai/settings.ts';
import { AiSettingsPatch, AiSettingsReply } from '#features/ai/schemas/settings.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { monitorAi } from './monitoring.ts';

type AiOverrides = Readonly<Record<string, unknown>>;
const AI: SettingsPlace = { kind: 'settings', id: 'ai', action: 'settings.ai.updated' };

const common = {
  on: 'platform',
  path: '/admin/settings/ai',
  reply: wrapped(AiSettingsReply),
  ...settingsReply((overrides, { ports }) => ({
    effective: { ...DEFAULT_AI_SETTINGS, ...overrides },
    overrides,
    defaults: DEFAULT_AI_SETTINGS,
    model: ports.model?.model ?? null,
  })),
} as const;

const getAi = endpoint<void, StoredTenantSettings>({
  id: 'admin.settings.ai.get',
  summary: 'Get AI settings',
  tag: 'Administration',
  permission: 'settings.read',
  mounts: mount({ ...common, method: 'get', read: () => undefined }),
  handle: (_, context) => readSettings(context, AI),
});

const putAi = endpoint<AiOverrides, StoredTenantSettings>({
  conditional: true,
  id: 'admin.settings.ai.put',
  summary: 'Update AI settings',
  description:
    'Omitted fields are unchanged; null resets to default. Unknown or out-of-range fields reject the whole request. Returns all settings.',
  tag: 'Administration',
  permission: 'settings.manage',
  mounts: mount({ ...common, method: 'put', body: AiSettingsPatch, read: ({ body }) => body }),
  handle: (patch, context) => patchOverrides(context, AI, patch),
});

const aiSettingsEndpoints = [
  getAi,
  putAi,
  ...settingsHistory({ id: 'admin.settings.ai', words: 'AI settings', place: AI, at: common, body: AiSettingsPatch }),
];

export const aiEndpoints = [monitorAi, ...aiSettingsEndpoints];
