import type { ReactNode } from 'react';
import { useMe } from '#console/hooks/use-me.ts';
import { MissingPermission } from '#console/states/missing-permission.tsx';
import type { Permission } from '#domain/access/permissions.ts';

/** A page that is not shown in the navigation says at its address what is missing. */
export function Allowed({ needs, children }: { readonly needs: Permission | null; readonly children: ReactNode }) {
  const me = useMe();
  if (needs === null || me.permissions.includes(needs)) return children;
  return (
    <main>
      <MissingPermission what="This page" needs={needs} />
    </main>
  );
}
