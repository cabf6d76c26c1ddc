import type { IconName } from '#console/facts/icon.tsx';
import type { Permission } from '#domain/access/permissions.ts';

export interface Entry {
  /** Address below `ui/`. */
  readonly to: string;
  readonly words: string;
  readonly icon: IconName;
  /** Entries without permission are not shown. */
  readonly needs: Permission | null;
  /** After `g`. */
  readonly key?: string;
}

/** A page has one line here and one in `routes.tsx`. */
export const NAVIGATION: readonly Entry[] = [
  { to: '/groups', words: 'Groups', icon: 'groups', needs: 'events.read', key: 'g' },
  { to: '/events', words: 'Events', icon: 'events', needs: 'events.read', key: 'e' },
  { to: '/topology', words: 'Topology', icon: 'topology', needs: 'cmdb.read', key: 't' },
  { to: '/cis', words: 'CIs', icon: 'cis', needs: 'cmdb.read', key: 'c' },
  { to: '/services', words: 'Services', icon: 'services', needs: 'services.read', key: 's' },
  { to: '/reports', words: 'Reports', icon: 'reports', needs: 'reports.read', key: 'r' },
  { to: '/tuning', words: 'Tuning', icon: 'tuning', needs: 'settings.read', key: 'u' },
  { to: '/discovery', words: 'Discovery', icon: 'discovery', needs: 'discovery.read' },
  { to: '/import', words: 'Import', icon: 'import', needs: 'cmdb.write' },
  { to: '/sources', words: 'Sources', icon: 'sources', needs: 'tokens.manage', key: 'o' },
  { to: '/pipeline', words: 'Pipeline', icon: 'pipeline', needs: 'pipeline.read', key: 'p' },
  { to: '/admin/users', words: 'Admin', icon: 'admin', needs: 'users.manage', key: 'a' },
  { to: '/start', words: 'Set-up', icon: 'start', needs: 'tokens.manage' },
];
