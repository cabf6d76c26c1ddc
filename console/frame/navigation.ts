import type { IconName } from '#console/facts/icon.tsx';
import type { Permission } from '#domain/access/permissions.ts';

export interface NavigationEntry {
  /** Address below `ui/`. */
  readonly to: string;
  readonly words: string;
  readonly icon: IconName;
  /** Entries without permission are not shown. */
  readonly needs: Permission | null;
  /** Any of these is enough. */
  readonly orElse?: readonly Permission[];
  /** After `g`. */
  readonly key?: string;
}

/** A page has one line here and one in `routes.tsx`. */
const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/groups', words: 'Groups', icon: 'groups', needs: 'events.read', key: 'g' },
  { to: '/events', words: 'Events', icon: 'events', needs: 'events.read', key: 'e' },
  { to: '/silences', words: 'Silences', icon: 'silence', needs: 'events.read' },
  { to: '/topology', words: 'Topology', icon: 'topology', needs: 'cmdb.read', key: 't' },
  { to: '/cis', words: 'CIs', icon: 'cis', needs: 'cmdb.read', key: 'c' },
  { to: '/services', words: 'Services', icon: 'services', needs: 'services.read', key: 's' },
  { to: '/reports', words: 'Reports', icon: 'reports', needs: 'reports.read', key: 'r' },
  { to: '/tuning', words: 'Tuning', icon: 'tuning', needs: 'settings.read', key: 'u' },
  { to: '/discovery', words: 'Discovery', icon: 'discovery', needs: 'discovery.read' },
  { to: '/import', words: 'Import', icon: 'import', needs: 'cmdb.write' },
  { to: '/sources', words: 'Sources', icon: 'sources', needs: 'tokens.manage', key: 'o' },
  { to: '/pipeline', words: 'Pipeline', icon: 'pipeline', needs: 'pipeline.read', key: 'p' },
  {
    to: '/admin',
    words: 'Admin',
    icon: 'admin',
    key: 'a',
    needs: 'settings.read',
    orElse: ['users.manage', 'tokens.manage', 'webhooks.manage', 'audit.read'],
  },
  { to: '/noc', words: 'Large screen', icon: 'screen', needs: 'events.read' },
  { to: '/start', words: 'Set-up', icon: 'start', needs: 'tokens.manage' },
];

export const entriesFor = (own: readonly Permission[]): readonly NavigationEntry[] =>
  NAVIGATION.filter(({ needs, orElse = [] }) => needs === null || [needs, ...orElse].some((one) => own.includes(one)));
