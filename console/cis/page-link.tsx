import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props {
  /** Path below `ui/`, with its query. */
  readonly to: string;
  readonly className?: string | undefined;
  readonly tabIndex?: number;
  readonly onClick?: () => void;
  readonly children?: ReactNode;
}

/** Leads to a page with filters or choices of its own. */
export function PageLink({ to, ...rest }: Props) {
  const [path = '', query = ''] = to.split('?');
  return <Link to={path} search={Object.fromEntries(new URLSearchParams(query)) as never} {...rest} />;
}
