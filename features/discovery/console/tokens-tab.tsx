import { Button, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useOnce } from '#console/actions/use-once.ts';
import { Age } from '#console/components/age.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import {
  type IssuedScannerToken,
  listScannerTokens,
  makeScannerToken,
  renewScannerToken,
  revokeScannerToken,
  type ScannerToken,
} from './api.ts';
import classes from './discovery.module.css';
import * as text from './texts.ts';

const LENGTHS = [
  { value: '30d', label: text.days30 },
  { value: '90d', label: text.days90 },
  { value: '365d', label: text.days365 },
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
          <span className={classes.dim}>{used === null ? text.neverUsed : <Age since={used} before="Used " />}</span>
          <span className={classes.dim}>
            {ends === null ? (
              text.neverExpires
            ) : (
              <>
                {text.expires} <Timestamp at={ends} />
              </>
            )}
          </span>
        </span>
      </span>
      <span className={classes.ways}>
        <Button variant="default" onClick={renew}>
          {text.rotate}
        </Button>
        {isEnding ? (
          <Button color="red" variant="outline" onClick={revoke}>
            {text.revokePermanently}
          </Button>
        ) : (
          <Button variant="subtle" onClick={() => setEnding(true)}>
            {text.revoke}
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
      <TextInput name="name" label={text.tokenName} placeholder={text.tokenNameExample} required maxLength={255} />
      <Select
        label={text.expiresAfter}
        data={LENGTHS}
        value={expires}
        allowDeselect={false}
        onChange={(next) => setExpires(next ?? '90d')}
      />
      <Button type="submit" loading={isMaking}>
        {text.create}
      </Button>
    </form>
  );
}

/** Creates, renews and revokes tokens, and retains the newest secret until the user has copied it. */
const useTokenChanges = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const [issued, setIssued] = useState<IssuedScannerToken | null>(null);
  const doing = async (failed: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      showError(failed, error);
    }
    await queries.invalidateQueries({ queryKey: ['discovery', 'tokens'] });
  };
  const [make, isMaking] = useOnce((name: string, expires: string, onMade: () => void) =>
    doing(text.couldntCreateToken, async () => {
      setIssued(await makeScannerToken(call, { name, expires_in: expires }));
      onMade();
    }),
  );
  const [renew] = useOnce(
    ({ id }: ScannerToken) =>
      doing(text.couldntRotateToken, async () => setIssued(await renewScannerToken(call, id, {}))),
    ({ id }) => id,
  );
  const [revoke] = useOnce(
    ({ id, name }: ScannerToken) =>
      doing(text.couldntRevokeToken, async () => {
        await revokeScannerToken(call, id);
        showToast({ text: text.revokedToken(name) });
      }),
    ({ id }) => id,
  );
  return { issued, forget: () => setIssued(null), make, isMaking, renew, revoke };
};

/** Lists tokens that only submit scans. */
export function TokensTab() {
  const { issued, forget, make, isMaking, renew, revoke } = useTokenChanges();
  const tokens = useRead(['discovery', 'tokens'], (call, signal) => listScannerTokens(call, { limit: MOST }, signal));
  return (
    <>
      <NewToken make={make} isMaking={isMaking} />
      <Region query={tokens} what={nouns.tokens} skeleton={<Skeleton rows={3} height={44} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Notice title={text.noDiscoveryTokensYet}>{text.noDiscoveryTokensYetHint}</Notice>
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
        title={issued === null ? text.token : text.tokenOf(issued.name)}
        onClose={forget}
      >
        {text.tokenHint}
      </SecretDialog>
    </>
  );
}
