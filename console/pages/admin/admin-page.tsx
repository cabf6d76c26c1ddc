import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '#console/frame/page.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { adminPagesFor } from '#console/slots/admin-pages.ts';
import { useFeatures } from '#console/slots/feature.ts';
import classes from './admin.module.css';
import * as text from './texts.ts';

interface Props {
  readonly title: string;
  readonly lead: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the administration, with links to the others. */
export function AdminPage({ title, lead, actions, children }: Props) {
  const { permissions } = useMe();
  const features = useFeatures();
  return (
    <Page title={title} scrolls lead={lead} actions={actions}>
      <nav className={classes.pages} aria-label={text.administration}>
        {adminPagesFor(permissions, features).map(({ to, words }) => (
          <Link key={to} to={to} className={classes.link}>
            {words}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
