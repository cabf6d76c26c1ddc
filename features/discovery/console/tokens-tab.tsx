import { Button, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useOnce } from '#console/actions/use-once.ts';
import { Age } from '#console/facts/age.tsx';
import { When } from '#console/facts/when.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import {
  type IssuedScannerToken,
  listScannerTokens,
  makeScannerToken,
  renewScannerToken,
  revokeScannerToken,
  type ScannerToken,
} from './api.ts';
import classes from './discovery.module.css';

const LENGTHS = [
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '365d', label: 'a year' },
];
const MOST = 100;

interface RowProps {
  readonly token: ScannerToken;
  readonly renew: () => void;
  readonly revoke: () => void;
}

function TokenRow({ token, renew, revoke }: RowProps) {
  const { name, last_used_at: used, expires_at: ends } = token;
  const [isEnding, setEnding] = useState(false);
  return (
    <li className={classes.hostRow}>
      <span className={classes.hostMain}>
        <strong>{name}</strong>
        <span className={classes.hostEvent}>
          <span className={classes.dim}>
            {used === null ? 'never used' : <Age since={used} before="used " after=" ago" />}
          </span>
          <span className={classes.dim}>
            {ends === null ? (
              'never ends'
            ) : (
              <>
                ends <When at={ends} />
              </>
            )}
          </span>
        </span>
      </span>
      <span className={classes.ways}>
        <Button variant="default" onClick={renew}>
          New value
        </Button>
        {isEnding ? (
          <Button color="red" variant="outline" onClick={revoke}>
            End it for good
          </Button>
        ) : (
          <Button variant="subtle" onClick={() => setEnding(true)}>
            End it
          </Button>
        )}
      </span>
    </li>
  );
}

interface NewProps {
  readonly make: (name: string, expires: string, onMade: () => void) => Promise<void>;
  readonly isMaking: boolean;
}

function NewToken({ make, isMaking }: NewProps) {
  const [expires, setExpires] = useState('90d');
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    void make(String(new FormData(form).get('name') ?? '').trim(), expires, () => form.reset());
  };
  return (
    <form className={classes.tokenForm} onSubmit={submit}>
      <TextInput name="name" label="A new token for" placeholder="nmap of rack 1" required maxLength={255} />
      <Select
        label="Ends after"
        data={LENGTHS}
        value={expires}
        allowDeselect={false}
        onChange={(next) => setExpires(next ?? '90d')}
      />
      <Button type="submit" loading={isMaking}>
        Make it
      </Button>
    </form>
  );
}

/** Makes, renews and ends tokens, and keeps the newest secret until the person has it. */
const useTokenChanges = () => {
  const { call } = useParts();
  const queries = useQueryClient();
  const [issued, setIssued] = useState<IssuedScannerToken | null>(null);
  const doing = async (failed: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      sayFailure(failed, error);
    }
    await queries.invalidateQueries({ queryKey: ['discovery', 'tokens'] });
  };
  const [make, isMaking] = useOnce((name: string, expires: string, onMade: () => void) =>
    doing('The token could not be made', async () => {
      setIssued(await makeScannerToken(call, { name, expires_in: expires }));
      onMade();
    }),
  );
  const [renew] = useOnce(
    ({ id }: ScannerToken) =>
      doing('The token could not be renewed', async () => setIssued(await renewScannerToken(call, id, {}))),
    ({ id }) => id,
  );
  const [revoke] = useOnce(
    ({ id, name }: ScannerToken) =>
      doing('The token could not be ended', async () => {
        await revokeScannerToken(call, id);
        say({ text: `The token of ${name} is no longer good` });
      }),
    ({ id }) => id,
  );
  return { issued, forget: () => setIssued(null), make, isMaking, renew, revoke };
};

/** Tokens by which scanners give in what they see, and nothing else. */
export function TokensTab() {
  const { call } = useParts();
  const { issued, forget, make, isMaking, renew, revoke } = useTokenChanges();
  const tokens = useQuery({
    queryKey: ['discovery', 'tokens'],
    queryFn: ({ signal }) => listScannerTokens(call, { limit: MOST }, signal),
  });
  return (
    <>
      <NewToken make={make} isMaking={isMaking} />
      <Region query={tokens} what="The tokens" skeleton={<Skeleton rows={3} height={44} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Notice title="No scanner has a token yet">
              A token of a scanner can give in scans and read them, and nothing else.
            </Notice>
          ) : (
            <ul className={classes.cards}>
              {data.map((token) => (
                <TokenRow
                  key={token.id}
                  token={token}
                  renew={() => void renew(token)}
                  revoke={() => void revoke(token)}
                />
              ))}
            </ul>
          )
        }
      </Region>
      <SecretDialog
        secret={issued?.token ?? null}
        title={issued === null ? 'Token' : `Token of ${issued.name}`}
        onClose={forget}
      >
        The scanner sends it as “Authorization: Bearer …”.
      </SecretDialog>
    </>
  );
}
