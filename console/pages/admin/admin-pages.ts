import type { Permission } from '#domain/access/permissions.ts';

interface AdminPlace {
  readonly to: string;
  readonly words: string;
  readonly needs: Permission;
}

/** The pages of the administration, in the order in which they are shown. */
const ADMIN_PAGES: readonly AdminPlace[] = [
  { to: '/admin/users', words: 'Users', needs: 'users.manage' },
  { to: '/admin/teams', words: 'Teams', needs: 'users.manage' },
  { to: '/admin/tokens', words: 'Tokens', needs: 'tokens.manage' },
  { to: '/admin/webhooks', words: 'Webhooks', needs: 'webhooks.manage' },
  { to: '/admin/ai', words: 'AI', needs: 'settings.read' },
  { to: '/admin/limits', words: 'Limits', needs: 'settings.read' },
  { to: '/admin/audit', words: 'Audit', needs: 'audit.read' },
  { to: '/admin/tenants', words: 'Tenants', needs: 'tenants.manage' },
];

export const adminPagesFor = (own: readonly Permission[]): readonly AdminPlace[] =>
  ADMIN_PAGES.filter(({ needs }) => own.includes(needs));
