import {
  BY_CREDENTIAL,
  isCountedByTenant,
  OF_USERS,
  PER_MINUTE,
  perMinuteOf,
  scaled,
} from '#api/http/routing/limits.ts';
import { type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { settingsHistory } from '#api/surfaces/settings-history.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import {
  patchOverrides,
  readSettings,
  type SettingsPlace,
  type StoredTenantSettings,
} from '#application/tenants/settings.ts';
import { ACCESS_KINDS, TENANT_LIMITS_ID } from '#domain/access/records.ts';
import { COUNTED_CLASSES, CREDENTIAL_KINDS, SETTABLE_CLASSES } from '#domain/limit-class.ts';
import { LimitsPatch, LimitsReply } from '#schemas/http/admin/admin.ts';
import { wrapped } from '#schemas/http/envelope.ts';

type Overrides = Readonly<Record<string, unknown>>;
const LIMITS: SettingsPlace = { kind: ACCESS_KINDS.limits, id: TENANT_LIMITS_ID, action: 'limits.updated' };
/** A class of their own: a credential whose minute is spent can read the limits, and an administrator can raise them. */
const common = { tag: 'Administration', limit: 'limits' } as const;

const defaults = Object.fromEntries(SETTABLE_CLASSES.map((name) => [name, PER_MINUTE[name]]));

/** The numbers as requests are counted against them; null where the scale is 0. */
const limitsView = (overrides: Overrides, { service: { limitScale } }: Context) => {
  const counted = (limit: number) => (limitScale === 0 ? null : scaled(limit, limitScale));
  const effective = COUNTED_CLASSES.map((name) => {
    const limit = counted(Number(overrides[name] ?? PER_MINUTE[name]));
    return [name, { limit, per: 'minute', counted_by: isCountedByTenant(name) ? 'tenant' : 'credential' }] as const;
  });
  const v1 = CREDENTIAL_KINDS.map((kind) => {
    const { burst, hour } = BY_CREDENTIAL[kind];
    return [kind, { minute: counted(burst), hour: counted(hour) }] as const;
  });
  const users = OF_USERS.map((name) => [name, counted(Number(overrides[name] ?? perMinuteOf('jwt', name)))] as const);
  const all = {
    effective: Object.fromEntries(effective),
    users: Object.fromEntries(users),
    v1: Object.fromEntries(v1),
  };
  return { ...all, overrides, defaults, scale: limitScale };
};
const limitsMount = {
  on: 'platform',
  path: '/admin/limits',
  reply: wrapped(LimitsReply),
  ...settingsReply(limitsView),
} as const;

const getLimits = endpoint<void, StoredTenantSettings>({
  ...common,
  id: 'admin.limits.get',
  summary: 'Get rate limits',
  description: "Tokens can have additional limits. This endpoint doesn't count against class standard.",
  permission: 'settings.read',
  mounts: mount({ ...limitsMount, method: 'get', read: () => undefined }),
  handle: (_, context) => readSettings(context, LIMITS),
});

const putLimits = endpoint<Overrides, StoredTenantSettings>({
  conditional: true,
  ...common,
  id: 'admin.limits.put',
  summary: 'Update rate limits',
  description: 'Omitted fields are unchanged; null resets to default.',
  permission: 'settings.manage',
  mounts: mount({ ...limitsMount, method: 'put', body: LimitsPatch, read: ({ body }) => body }),
  handle: async (patch, context) => {
    const limits = await patchOverrides(context, LIMITS, patch);
    context.ports.memory.callers.clear();
    return limits;
  },
});

export const limitEndpoints = [
  getLimits,
  putLimits,
  ...settingsHistory({
    id: 'admin.limits',
    words: 'rate limits',
    place: LIMITS,
    at: limitsMount,
    body: LimitsPatch,
    changed: ({ ports }) => ports.memory.callers.clear(),
  }),
];
