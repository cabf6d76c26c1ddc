/** Dotted permissions; the same words are token scopes. Each cell of role × permission is tested. */
export const PERMISSIONS = [
  'events.read',
  'events.ingest',
  'events.webhook',
  'events.write',
  'events.correlate',
  'alertmanager.read',
  'alertmanager.write',
  'alertmanager.silences',
  'cmdb.read',
  'cmdb.write',
  'discovery.read',
  'discovery.submit',
  'discovery.manage',
  'services.read',
  'services.write',
  'reports.read',
  'reports.write',
  'ai.use',
  'webhooks.manage',
  'users.manage',
  'tokens.manage',
  'settings.read',
  'settings.manage',
  'audit.read',
  'pipeline.read',
  'pipeline.manage',
  'debug.read',
  'tenants.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Permissions that change nothing. */
export const isReading = (permission: Permission): boolean => permission.endsWith('.read');

export const ROLES = ['viewer', 'operator', 'editor', 'admin', 'ingest', 'platform-admin'] as const;
export type Role = (typeof ROLES)[number];

const viewer: readonly Permission[] = [
  'events.read',
  'alertmanager.read',
  'cmdb.read',
  'discovery.read',
  'services.read',
  'reports.read',
  'settings.read',
];
const operator: readonly Permission[] = [
  ...viewer,
  'events.write',
  'events.correlate',
  'events.ingest',
  'alertmanager.silences',
  'reports.write',
  'ai.use',
];
const editor: readonly Permission[] = [
  ...operator,
  'cmdb.write',
  'services.write',
  'discovery.submit',
  'discovery.manage',
];
const admin: readonly Permission[] = [
  ...editor,
  'events.webhook',
  'alertmanager.write',
  'webhooks.manage',
  'users.manage',
  'tokens.manage',
  'settings.manage',
  'audit.read',
  'pipeline.read',
  'pipeline.manage',
  'debug.read',
];

/** Roles are fixed data. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer,
  operator,
  editor,
  admin,
  ingest: ['events.ingest', 'events.webhook', 'alertmanager.write'],
  'platform-admin': [...admin, 'tenants.manage'],
};
