import { Button } from '@mantine/core';
import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import {
  type ApiToken,
  type IssuedTokenShown,
  listTokens,
  revokeToken,
  rotateToken,
} from '#console/api/admin/tokens.ts';
import { RowButton } from '#console/data/row-button.tsx';
import type { SimpleColumn } from '#console/data/simple-table.tsx';
import { Age } from '#console/facts/age.tsx';
import { Snippet } from '#console/facts/snippet.tsx';
import { When } from '#console/facts/when.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { names } from '#console/words/counts.ts';
import { isReading } from '#domain/access/permissions.ts';
import { AdminPage } from './admin-page.tsx';
import { NewTokenDialog, TOKENS } from './new-token-dialog.tsx';
import { AdminList } from './parts/admin-list.tsx';
import { NameCell } from './parts/name-cell.tsx';

const OVERLAP = '24h';
const COLUMNS: readonly SimpleColumn<ApiToken>[] = [
  {
    title: 'Token',
    isName: true,
    cell: ({ name, description }) => <NameCell name={name} note={description} />,
  },
  { title: 'May', cell: ({ role, scopes }) => (role === null ? names(scopes, scopes.length, 3) : `role ${role}`) },
  { title: 'Made by', cell: ({ created_by: by }) => by.name },
  {
    title: 'Last used',
    cell: ({ last_used_at: at }) => (at === null ? 'never' : <Age since={at} after=" ago" />),
  },
  { title: 'Ends', cell: ({ expires_at: at }) => (at === null ? 'never' : <When at={at} />) },
];

/** A new value; of a token that was made for a large screen the link that has it. */
interface Shown {
  readonly issued: IssuedTokenShown;
  readonly isScreen: boolean;
}

const mayShowScreen = ({ role, scopes }: ApiToken): boolean =>
  role === null && scopes.includes('events.read') && scopes.every(isReading);

function Ends({ issued: { expires_at: ends, previous_valid_until: before } }: { readonly issued: IssuedTokenShown }) {
  return (
    <>
      {ends === null ? (
        'It has no end. '
      ) : (
        <>
          It ends on <When at={ends} />.{' '}
        </>
      )}
      {before === null ? null : (
        <>
          The value before it is accepted until <When at={before} />.
        </>
      )}
    </>
  );
}

function Issued({ shown: { issued, isScreen }, onClose }: { readonly shown: Shown; readonly onClose: () => void }) {
  const { root } = useParts();
  const link = `${new URL('ui/noc', root).href}#token=${issued.token ?? ''}`;
  return (
    <SecretDialog
      secret={isScreen ? link : issued.token}
      title={isScreen ? `The link for ${issued.name}` : `The token ${issued.name}`}
      onClose={onClose}
    >
      {isScreen ? 'Open it in the browser of the screen. Whoever has it sees what the screen shows. ' : null}
      <Ends issued={issued} />
      {!isScreen && mayShowScreen(issued) ? <Snippet title="As the link of a large screen" text={link} /> : null}
    </SecretDialog>
  );
}

/** Tokens of the API: who has which, and until when. */
export function TokensPage() {
  const { call } = useParts();
  const done = useDone(TOKENS);
  const [isNew, setNew] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const [rotating, setRotating] = useState<ApiToken | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const list = usePages(TOKENS, (cursor, signal) => listTokens(call, { cursor }, signal));
  return (
    <AdminPage
      title="Tokens"
      lead="What programs and large screens sign in with. A token is shown once, when it is made."
      actions={<Button onClick={() => setNew(true)}>Make a token</Button>}
    >
      <AdminList
        title="Tokens of this tenant"
        what="The tokens"
        list={list}
        idOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Notice title="There is no token yet">
            A monitoring system needs one to send events, and a large screen to show them; people sign in without.
          </Notice>
        }
        actions={(token) => (
          <>
            <RowButton words="New value" of={`for ${token.name}`} isMain onClick={() => setRotating(token)} />
            <RowButton words="Revoke" of={token.name} onClick={() => setRevoking(token)} />
          </>
        )}
      />
      {isNew ? (
        <NewTokenDialog onClose={() => setNew(false)} onMade={(issued, isScreen) => setShown({ issued, isScreen })} />
      ) : null}
      {rotating === null ? null : (
        <ConfirmDialog
          opened
          title={`New value for ${rotating.name}`}
          action="Give it a new value"
          onClose={() => setRotating(null)}
          act={() =>
            done(async () => {
              setShown({ issued: await rotateToken(call, rotating.id, OVERLAP), isScreen: false });
            }, null)
          }
        >
          The value before stays good for 24 hours, so that senders can be changed one after the other.
        </ConfirmDialog>
      )}
      {revoking === null ? null : (
        <ConfirmDialog
          opened
          title={`Revoke ${revoking.name}`}
          action="Revoke"
          onClose={() => setRevoking(null)}
          act={() => done(() => revokeToken(call, revoking.id), `${revoking.name} is revoked`)}
        >
          Whoever uses it is refused at once. It cannot be taken back.
        </ConfirmDialog>
      )}
      {shown === null ? null : <Issued shown={shown} onClose={() => setShown(null)} />}
    </AdminPage>
  );
}
