import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { listTokens, makeToken, revokeToken, rotateToken } from '#console/api/admin/tokens.ts';
import { MoreRows } from '#console/data/more-rows.tsx';
import { Section } from '#console/data/section.tsx';
import { SimpleTable } from '#console/data/simple-table.tsx';
import { Age } from '#console/facts/age.tsx';
import { When } from '#console/facts/when.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { names, plain } from '#console/words/counts.ts';
import { ROLES, type Role } from '#domain/access/permissions.ts';
import classes from './admin.module.css';
import { AdminPage } from './admin-page.tsx';

const TOKENS = ['tokens'] as const;
const OVERLAP = '24h';
/** One scope is the usual case; all else has a role. */
const SENDS = 'events.webhook';
const RIGHTS = [
  { value: SENDS, label: 'Send events of a monitoring system' },
  ...ROLES.map((value) => ({ value, label: `Role ${value}` })),
];
const ENDS = [
  { value: '', label: 'As usual: never for senders, else after 90 days' },
  ...['30d', '90d', '365d'].map((value) => ({ value, label: `After ${Number.parseInt(value, 10)} days` })),
];

interface Asked {
  readonly id: string;
  readonly name: string;
}

/** Tokens of the API: who has which, and until when. */
export function TokensPage() {
  const { call } = useParts();
  const attempt = useAttempt(TOKENS);
  const [isNew, setNew] = useState(false);
  const [revoking, setRevoking] = useState<Asked | null>(null);
  const [rotating, setRotating] = useState<Asked | null>(null);
  const [issued, setIssued] = useState<{ readonly token: string | null; readonly note: string } | null>(null);
  const { found, rows, total } = usePages(TOKENS, (cursor, signal) => listTokens(call, { cursor }, signal));
  const make = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const [rights, ends] = [text('rights'), text('ends')];
    const made = await makeToken(call, {
      ...{ name: text('name'), description: text('description') },
      ...(rights === SENDS ? { scopes: [SENDS] } : { role: rights as Role }),
      ...(ends !== '' && { expires_in: ends }),
    });
    setIssued(made);
    await found.refetch();
  };
  return (
    <AdminPage
      title="Tokens"
      lead="What programs sign in with. A token is shown once, when it is made."
      actions={<Button onClick={() => setNew(true)}>Make a token</Button>}
    >
      <Section title="Tokens of this tenant" flush>
        <Region query={found} what="The tokens">
          {() =>
            rows.length === 0 ? (
              <Notice title="There is no token yet">A sender of events needs one; people sign in without.</Notice>
            ) : (
              <SimpleTable
                label="Tokens"
                rows={rows}
                idOf={({ id }) => id}
                columns={[
                  {
                    title: 'Token',
                    isName: true,
                    isWide: true,
                    cell: ({ name, description }) => (
                      <>
                        {name}
                        {description === '' ? null : <div className={classes.note}>{description}</div>}
                      </>
                    ),
                  },
                  { title: 'May', cell: ({ role, scopes }) => (role === null ? names(scopes) : `role ${role}`) },
                  { title: 'Made by', cell: ({ created_by: by }) => by.name },
                  {
                    title: 'Last used',
                    cell: ({ last_used_at: at }) => (at === null ? 'never' : <Age since={at} after=" ago" />),
                  },
                  { title: 'Ends', cell: ({ expires_at: at }) => (at === null ? 'never' : <When at={at} />) },
                ]}
                actions={({ id, name }) => (
                  <>
                    <Button variant="subtle" size="compact-xs" onClick={() => setRotating({ id, name })}>
                      New value
                    </Button>
                    <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setRevoking({ id, name })}>
                      Revoke
                    </Button>
                  </>
                )}
              />
            )
          }
        </Region>
        <MoreRows
          shown={rows.length}
          total={total}
          hasMore={found.hasNextPage}
          isReading={found.isFetchingNextPage}
          more={found.fetchNextPage}
        />
      </Section>
      <FormDialog opened={isNew} title="Make a token" action="Make it" onClose={() => setNew(false)} send={make}>
        {(problems) => (
          <>
            <TextInput name="name" label="Name" required maxLength={255} error={problems.name} data-autofocus />
            <TextInput name="description" label="What it is for" maxLength={1_024} error={problems.description} />
            <Select
              name="rights"
              label="May"
              data={RIGHTS}
              defaultValue={SENDS}
              allowDeselect={false}
              error={problems.role}
            />
            <Select
              name="ends"
              label="Ends"
              data={ENDS}
              defaultValue=""
              allowDeselect={false}
              error={problems.expires_in}
            />
          </>
        )}
      </FormDialog>
      <ConfirmDialog
        opened={rotating !== null}
        title={`New value for ${rotating?.name ?? ''}`}
        action="Give it a new value"
        onClose={() => setRotating(null)}
        act={async () => {
          setIssued(await rotateToken(call, rotating?.id ?? '', OVERLAP));
          await found.refetch();
        }}
      >
        The value before stays good for 24 hours, so that senders can be changed one after the other.
      </ConfirmDialog>
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revoke ${revoking?.name ?? ''}`}
        action="Revoke"
        onClose={() => setRevoking(null)}
        act={() =>
          attempt(() => revokeToken(call, revoking?.id ?? ''), {
            done: `${plain(revoking?.name ?? '')} is revoked`,
            failed: 'The token could not be revoked',
          })
        }
      >
        Whoever uses it is refused at once. It cannot be taken back.
      </ConfirmDialog>
      <SecretDialog secret={issued?.token ?? null} title="The token" onClose={() => setIssued(null)}>
        {issued?.note}
      </SecretDialog>
    </AdminPage>
  );
}
