import { useQuery } from '@tanstack/react-query';
import { findAdministrators } from '#console/api/assignees.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { helpWords } from '#console/words/help-words.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Notice } from './notice.tsx';

interface Props {
  /** As in "This page needs events.read". */
  readonly what: string;
  /** Undefined: the server did not say which one. */
  readonly needs: Permission | undefined;
}

/** Says which permission is missing, and who could help. */
export function MissingPermission({ what, needs }: Props) {
  const { call } = useParts();
  const me = useMe();
  const { data } = useQuery({
    queryKey: ['assignees', 'administrators', me.tenant.id],
    queryFn: ({ signal }) => findAdministrators(call, signal),
    enabled: useMay('events.read'),
    retry: false,
  });
  const others = (data?.users ?? []).filter(({ _id }) => _id !== me.user._id).map(({ name }) => name);
  return (
    <Notice title={needs === undefined ? 'You may not see this' : `${what} needs ${needs}`} kind="caution">
      {me.user.role === null ? 'Your credential does not have it. ' : `Your role is ${me.user.role}. `}
      {helpWords(needs, others, me.tenant.id)}
    </Notice>
  );
}
