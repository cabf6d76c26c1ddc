import { type AdminEntry, type ConsoleFeature, inPlace } from '#console/slots/feature.ts';
import type { Permission } from '#domain/access/permissions.ts';

const ADMIN_PAGES: readonly AdminEntry[] = [
  { place: 10, to: '/admin/users', words: 'Users', also: 'accounts roles invite', needs: 'users.manage' },
  { place: 20, to: '/admin/teams', words: 'Teams', also: 'members', needs: 'users.manage' },
  { place: 30, to: '/admin/tokens', words: 'Tokens', also: 'api keys credentials', needs: 'tokens.manage' },
  { place: 40, to: '/admin/limits', words: 'Limits', also: 'settings rate quota', needs: 'settings.read' },
  { place: 50, to: '/admin/audit', words: 'Audit log', also: 'history changes', needs: 'audit.read' },
  { place: 60, to: '/admin/tenants', words: 'Tenants', also: 'organizations', needs: 'tenants.manage' },
];

/** The pages of the administration, in the order in which they are shown. */
export const adminPagesFor = (own: readonly Permission[], features: readonly ConsoleFeature[]): readonly AdminEntry[] =>
  inPlace([...ADMIN_PAGES, ...features.flatMap(({ adminPages = [] }) => adminPages)]).filter(({ needs }) =>
    own.includes(needs),
  );
