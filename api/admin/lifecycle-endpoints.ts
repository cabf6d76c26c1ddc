import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import {
  type KeptSettings,
  readSettings,
  replaceOverrides,
  type SettingsPlace,
} from '#application/tenants/settings.ts';
import { DEFAULT_LIFECYCLE } from '#domain/event/life/lifecycle.ts';
import { LifecyclePut, type LifecyclePutInput, LifecycleReply } from '#schemas/http/admin/lifecycle.ts';
import { wrapped } from '#schemas/http/envelope.ts';

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

const getLifecycle = endpoint<void, KeptSettings>({
  id: 'admin.settings.lifecycle.get',
  summary: 'Show after how long a silence events are resolved, and how far maintenance reaches',
  tag: 'Administration',
  permission: 'settings.read',
  limit: 'standard',
  mounts: [mount({ ...common, method: 'get', read: () => undefined })],
  handle: (_, context) => readSettings(context, LIFECYCLE),
});

const putLifecycle = endpoint<LifecyclePutInput, KeptSettings>({
  conditional: true,
  id: 'admin.settings.lifecycle.put',
  summary: 'Set after how long a silence events are resolved, and how far maintenance reaches',
  description: 'Replaces all of it: what is absent is as by default, and null means never.',
  tag: 'Administration',
  permission: 'settings.manage',
  limit: 'standard',
  mounts: [mount({ ...common, method: 'put', body: LifecyclePut, read: ({ body }) => body })],
  async handle(overrides, context) {
    const replaced = await replaceOverrides(context, LIFECYCLE, overrides);
    context.ports.memory.silences.forget(context.tenant);
    return replaced;
  },
});

export const lifecycleEndpoints = [getLifecycle, putLifecycle];
