import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { CONSOLE_KINDS, NO_SETTINGS, type ConsoleSettings as Settings } from '#domain/access/console.ts';
import { ConsoleSettings } from '#schemas/http/console.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const common = { tag: 'Console', permission: null, anyCredential: true, limit: 'standard' } as const;
const ME_SETTINGS = {
  on: 'platform',
  path: '/me/settings',
  reply: wrapped(ConsoleSettings),
  present: (settings: Settings) => ({ body: settings }),
} as const;

const showSettings = endpoint<void, Settings>({
  ...common,
  id: 'me.settings.get',
  summary: 'Show how the console looks for whoever asks',
  mounts: [mount({ ...ME_SETTINGS, method: 'get', read: () => undefined })],
  async handle(_, { ports, tenant, caller }) {
    const kept = await ports.records.get<Partial<Settings>>(tenant, CONSOLE_KINDS.settings, caller.id);
    return { ...NO_SETTINGS, ...kept?.body };
  },
});

const putSettings = endpoint<Settings, Settings>({
  ...common,
  id: 'me.settings.put',
  summary: 'Replace how the console looks for whoever asks',
  description: 'Absent settings get their defaults.',
  mounts: [mount({ ...ME_SETTINGS, method: 'put', body: ConsoleSettings, read: ({ body }) => body as Settings })],
  async handle(settings, { ports, tenant, caller }) {
    await ports.records.put(tenant, CONSOLE_KINDS.settings, caller.id, settings);
    return settings;
  },
});

export const settingsOfMe = [showSettings, putSettings];
