import type { ReactNode } from 'react';
import { useMe } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import type { Permission } from '#domain/access/permissions.ts';

/** A page that is not shown in the navigation says at its address what is missing. */
export function Allowed({ needs, children }: { readonly needs: Permission | null; readonly children: ReactNode }) {
  const me = useMe();
  if (needs === null || me.permissions.includes(needs)) return children;
  return (
    <main>
      <Notice title={`This page needs ${needs}`} kind="caution">
        {me.user.role === null ? 'Your credential does not have it. ' : `Your role is ${me.user.role}. `}
        An administrator of {me.tenant.id} can give you another one.
      </Notice>
    </main>
  );
}
