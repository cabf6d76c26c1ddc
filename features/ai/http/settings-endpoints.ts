import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import { type KeptSettings, patchOverrides, readSettings, type SettingsPlace } from '#application/tenants/settings.ts';
import { DEFAULT_AI_SETTINGS } from '#domain/ai/settings.ts';
import { AiSettingsPatch, AiSettingsReply } from '#features/ai/schemas/settings.ts';
import { wrapped } from '#schemas/http/envelope.ts';

type Overrides = Readonly<Record<string, unknown>>;
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

const getAi = endpoint<void, KeptSettings>({
  id: 'admin.settings.ai.get',
  summary: 'Show the settings of AI functions: effective, what the tenant changed, defaults',
  tag: 'Administration',
  permission: 'settings.read',
  limit: 'standard',
  mounts: [mount({ ...common, method: 'get', read: () => undefined })],
  handle: (_, context) => readSettings(context, AI),
});

const putAi = endpoint<Overrides, KeptSettings>({
  conditional: true,
  id: 'admin.settings.ai.put',
  summary: 'Change the settings of AI functions',
  description:
    'Merges: a field that is absent stays as it is, null gives back its default, an empty object changes nothing. A field that is unknown or out of range is refused, and then nothing changes. The reply shows all settings.',
  tag: 'Administration',
  permission: 'settings.manage',
  limit: 'standard',
  mounts: [mount({ ...common, method: 'put', body: AiSettingsPatch, read: ({ body }) => body })],
  handle: (patch, context) => patchOverrides(context, AI, patch),
});

export const aiSettingsEndpoints = [getAi, putAi];
