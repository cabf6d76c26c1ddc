import { findAdministrators } from '#console/api/assignees.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { helpWords } from '#console/text/help-text.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Notice } from './notice.tsx';
import * as text from './texts.ts';

interface Props {
  /** Noun, as in "This page requires the events.read permission". */
  readonly what: string;
  /** Undefined: the server did not name it. */
  readonly needs: Permission | undefined;
}

/** Names the missing permission, and a contact. */
export function MissingPermission({ what, needs }: Props) {
  const me = useMe();
  const { data } = useRead(
    ['assignees', 'administrators', me.tenant.id],
    (call, signal) => findAdministrators(call, signal),
    { enabled: useMay('events.read'), retry: false },
  );
  const others = (data?.users ?? []).filter(({ _id }) => _id !== me.user._id).map(({ name }) => name);
  return (
    <Notice title={needs === undefined ? text.noAccess : text.requiresPermission(what, needs)} kind="caution">
      {me.user.role === null ? text.tokenLacksPermission : text.yourRole(me.user.role)}{' '}
      {helpWords(needs, others, me.tenant.id)}
    </Notice>
  );
}
