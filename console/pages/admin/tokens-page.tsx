import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import {
  type ApiToken,
  type IssuedTokenData,
  listTokens,
  makeToken,
  revokeToken,
  rotateToken,
} from '#console/api/admin/tokens.ts';
import { Snippet } from '#console/components/snippet.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { ageColumn, type SimpleColumn, timeColumn } from '#console/data/simple-table.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { names } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { isReading, type Permission, type Role } from '#domain/access/permissions.ts';
import { AdminPage } from './admin-page.tsx';
import { AdminList } from './parts/admin-list.tsx';
import { NameCell } from './parts/name-cell.tsx';
import { rolesToGive } from './parts/role-words.ts';
import * as text from './texts.ts';

const TOKENS = ['tokens'] as const;

const SENDS: Permission = 'events.webhook';
const SCREEN = 'screen';
/** Permissions of the view of a large screen; it accepts no token with write permissions. */
const SCREEN_SCOPES: readonly Permission[] = ['events.read', 'services.read', 'pipeline.read'];
const AS_USUAL = 'usual';
const ENDS = [
  { value: AS_USUAL, label: text.defaultExpiry },
  ...['30d', '90d', '365d'].map((value) => ({ value, label: text.afterDays(Number.parseInt(value, 10)) })),
];

const rightsOf = (rights: string, own: readonly Permission[]) => {
  if (rights === SENDS) return { scopes: [SENDS] };
  if (rights === SCREEN) return { scopes: SCREEN_SCOPES.filter((scope) => own.includes(scope)) };
  return { role: rights as Role };
};

interface Props {
  readonly onClose: () => void;
  readonly onMade: (issued: IssuedTokenData, isScreen: boolean) => void;
}

function NewTokenDialog({ onClose, onMade }: Props) {
  const { call } = useAppServices();
  const { permissions } = useMe();
  const done = useDone(TOKENS);
  const rights = [
    { value: SENDS, label: text.sendEventsMonitoringSystem },
    { value: SCREEN, label: text.wallboardReadOnlyLink },
    ...rolesToGive(permissions).map(({ value, label }) => ({ value, label: text.role(label) })),
  ];
  const make = (form: FormData): Promise<void> => {
    const [may, ends] = [textOf(form, 'rights'), textOf(form, 'ends')];
    return done(async () => {
      const issued = await makeToken(call, {
        name: textOf(form, 'name'),
        description: textOf(form, 'description'),
        ...rightsOf(may, permissions),
        ...(ends !== AS_USUAL && { expires_in: ends }),
      });
      onMade(issued, may === SCREEN);
    }, null);
  };
  return (
    <FormDialog opened title={text.createToken} action={text.create} onClose={onClose} send={make}>
      {(problems) => (
        <>
          <TextInput name="name" label={text.name} required maxLength={255} error={problems.name} data-autofocus />
          <TextInput name="description" label={text.description} maxLength={1_024} error={problems.description} />
          <Select
            name="rights"
            label={text.permissions}
            data={rights}
            defaultValue={SENDS}
            allowDeselect={false}
            error={problems.role ?? problems.scopes}
          />
          <Select
            name="ends"
            label={text.expires}
            data={ENDS}
            defaultValue={AS_USUAL}
            allowDeselect={false}
            error={problems.expires_in}
          />
        </>
      )}
    </FormDialog>
  );
}

const OVERLAP = '24h';
const COLUMNS: readonly SimpleColumn<ApiToken>[] = [
  {
    title: text.token,
    isName: true,
    cell: ({ name, description }) => <NameCell name={name} note={description} />,
    value: ({ name }) => name,
  },
  {
    title: text.permissions,
    cell: ({ role, scopes }) => (role === null ? names(scopes, scopes.length, 3) : text.role(role)),
    value: ({ role, scopes }) => (role === null ? scopes.join('; ') : text.role(role)),
  },
  { title: text.createdBy, cell: ({ created_by: by }) => by.name },
  ageColumn(text.lastUsed, ({ last_used_at: at }) => at, text.never),
  timeColumn(text.expires, ({ expires_at: at }) => at, text.never),
];

/** A new value; of a token that was made for a large screen the link that has it. */
interface NewSecret {
  readonly issued: IssuedTokenData;
  readonly isScreen: boolean;
}

const mayShowScreen = ({ role, scopes }: ApiToken): boolean =>
  role === null && scopes.includes('events.read') && scopes.every(isReading);

function Ends({ issued: { expires_at: ends, previous_valid_until: before } }: { readonly issued: IssuedTokenData }) {
  return (
    <>
      {ends === null ? (
        text.doesntExpire
      ) : (
        <>
          {text.expires} <Timestamp at={ends} />.{' '}
        </>
      )}
      {before === null ? null : (
        <>
          {text.previousValueWorksUntil} <Timestamp at={before} />.
        </>
      )}
    </>
  );
}

function Issued({ shown: { issued, isScreen }, onClose }: { readonly shown: NewSecret; readonly onClose: () => void }) {
  const { root } = useAppServices();
  const link = `${new URL('ui/noc', root).href}#token=${issued.token ?? ''}`;
  return (
    <SecretDialog
      secret={isScreen ? link : issued.token}
      title={isScreen ? text.wallboardLink(issued.name) : text.tokenOf(issued.name)}
      onClose={onClose}
    >
      {isScreen ? text.wallboardLinkHint : null}
      <Ends issued={issued} />
      {!isScreen && mayShowScreen(issued) ? <Snippet title={text.wallboardLinkLabel} text={link} /> : null}
    </SecretDialog>
  );
}

/** Tokens of the API: who has which, and until when. */
export function TokensPage() {
  const { call } = useAppServices();
  const done = useDone(TOKENS);
  const [isNew, setNew] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const [rotating, setRotating] = useState<ApiToken | null>(null);
  const [shown, setShown] = useState<NewSecret | null>(null);
  const list = usePages(TOKENS, (cursor, signal) => listTokens(call, { cursor }, signal));
  return (
    <AdminPage
      title={text.tokens}
      lead={text.tokensLead}
      actions={<Button onClick={() => setNew(true)}>{text.createToken}</Button>}
    >
      <AdminList
        title={text.apiTokens}
        what={nouns.tokens}
        list={list}
        idOf={({ id }) => id}
        columns={COLUMNS}
        empty={<Notice title={text.noTokensYet}>{text.noTokensYetHint}</Notice>}
        actions={(token) => (
          <>
            <RowButton words={text.rotate} of={token.name} isMain onClick={() => setRotating(token)} />
            <RowButton words={text.revoke} of={token.name} onClick={() => setRevoking(token)} />
          </>
        )}
      />
      {isNew ? (
        <NewTokenDialog onClose={() => setNew(false)} onMade={(issued, isScreen) => setShown({ issued, isScreen })} />
      ) : null}
      {rotating === null ? null : (
        <ConfirmDialog
          opened
          title={text.rotateOf(rotating.name)}
          action={text.rotate}
          onClose={() => setRotating(null)}
          act={() =>
            done(async () => {
              setShown({ issued: await rotateToken(call, rotating.id, OVERLAP), isScreen: false });
            }, null)
          }
        >
          {text.rotateTokensWarning}
        </ConfirmDialog>
      )}
      {revoking === null ? null : (
        <ConfirmDialog
          opened
          title={text.revokeOf(revoking.name)}
          action={text.revoke}
          onClose={() => setRevoking(null)}
          act={() => done(() => revokeToken(call, revoking.id), text.revoked(revoking.name))}
        >
          {text.revokeTokensWarning}
        </ConfirmDialog>
      )}
      {shown === null ? null : <Issued shown={shown} onClose={() => setShown(null)} />}
    </AdminPage>
  );
}
