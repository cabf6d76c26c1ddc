export const TIERS = ['frontend', 'application', 'data', 'infrastructure'] as const;
export type Tier = (typeof TIERS)[number];

/** The role of a server, and its tier. */
export const ROLES = {
  'web-server': 'frontend',
  'load-balancer': 'frontend',
  'api-gateway': 'frontend',
  'application-server': 'application',
  scheduler: 'application',
  database: 'data',
  cache: 'data',
  search: 'data',
  'message-broker': 'data',
  'file-storage': 'data',
  directory: 'infrastructure',
  dns: 'infrastructure',
  time: 'infrastructure',
  dhcp: 'infrastructure',
  mail: 'infrastructure',
  proxy: 'infrastructure',
  monitoring: 'infrastructure',
  logging: 'infrastructure',
  backup: 'infrastructure',
  virtualisation: 'infrastructure',
  orchestration: 'infrastructure',
  coordination: 'infrastructure',
  secrets: 'infrastructure',
  delivery: 'infrastructure',
  'remote-access': 'infrastructure',
  network: 'infrastructure',
} as const satisfies Readonly<Record<string, Tier>>;
export type ServerRole = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as readonly ServerRole[];

/** Roles that serve whole estates rather than one service. */
export const SUPPORT_ROLES: ReadonlySet<ServerRole> = new Set([
  'directory',
  'dns',
  'time',
  'dhcp',
  'monitoring',
  'logging',
  'backup',
  'delivery',
  'remote-access',
]);

/** Roles in words: `message-broker` is a message broker. */
export const roleWords = (role: string): string => role.replaceAll('-', ' ');
