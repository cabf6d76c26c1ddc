import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '#console/frame/page.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import type { Permission } from '#domain/access/permissions.ts';
import classes from './admin.module.css';

const PAGES: readonly { readonly to: string; readonly words: string; readonly needs: Permission }[] = [
  { to: '/admin/users', words: 'Users', needs: 'users.manage' },
  { to: '/admin/tokens', words: 'Tokens', needs: 'tokens.manage' },
  { to: '/admin/limits', words: 'Limits', needs: 'settings.read' },
  { to: '/admin/audit', words: 'Audit', needs: 'audit.read' },
];

interface Props {
  readonly title: string;
  readonly lead: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the administration, with the way to the others. */
export function AdminPage({ title, lead, actions, children }: Props) {
  const { permissions } = useMe();
  return (
    <Page title={title} scrolls lead={lead} actions={actions}>
      <nav className={classes.pages} aria-label="Administration">
        {PAGES.filter(({ needs }) => permissions.includes(needs)).map(({ to, words }) => (
          <Link key={to} to={to} className={classes.link}>
            {words}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
