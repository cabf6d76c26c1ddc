import { type AdminEntry, type ConsoleFeature, inPlace } from '#console/slots/feature.ts';
import type { Permission } from '#domain/access/permissions.ts';

const ADMIN_PAGES: readonly AdminEntry[] = [
  { place: 10, to: '/admin/users', words: 'Users', needs: 'users.manage' },
  { place: 20, to: '/admin/teams', words: 'Teams', needs: 'users.manage' },
  { place: 30, to: '/admin/tokens', words: 'Tokens', needs: 'tokens.manage' },
  { place: 40, to: '/admin/limits', words: 'Limits', needs: 'settings.read' },
  { place: 50, to: '/admin/audit', words: 'Audit log', needs: 'audit.read' },
  { place: 60, to: '/admin/tenants', words: 'Tenants', needs: 'tenants.manage' },
];

/** The pages of the administration, in the order in which they are shown. */
export const adminPagesFor = (own: readonly Permission[], features: readonly ConsoleFeature[]): readonly AdminEntry[] =>
  inPlace([...ADMIN_PAGES, ...features.flatMap(({ adminPages = [] }) => adminPages)]).filter(({ needs }) =>
    own.includes(needs),
  );
