import { Button, CopyButton, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type IssuedScannerToken,
  listScannerTokens,
  makeScannerToken,
  renewScannerToken,
  revokeScannerToken,
} from '#console/api/cmdb/discovery.ts';
import { Age } from '#console/facts/age.tsx';
import { When } from '#console/facts/when.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import classes from './discovery.module.css';

const LENGTHS = [
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '365d', label: 'a year' },
];
const MOST = 100;

function Issued({ token, onClose }: { readonly token: IssuedScannerToken; readonly onClose: () => void }) {
  const secret = token.token ?? '';
  return (
    <Modal opened onClose={onClose} title={`Token of ${token.name}`} size="lg">
      <Stack gap="md">
        <p className={classes.dim}>It is shown this once. The scanner sends it as “Authorization: Bearer …”.</p>
        <code className={classes.secret}>{secret}</code>
        <Group justify="flex-end" gap="sm">
          <CopyButton value={secret}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            I have it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Tokens by which scanners give in what they see, and nothing else. */
export function TokensTab() {
  const { call } = useParts();
  const queries = useQueryClient();
  const [issued, setIssued] = useState<IssuedScannerToken | null>(null);
  const [ending, setEnding] = useState<string | null>(null);
  const [expires, setExpires] = useState('90d');
  const tokens = useQuery({
    queryKey: ['discovery', 'tokens'],
    queryFn: ({ signal }) => listScannerTokens(call, { limit: MOST }, signal),
  });
  const doing = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      sayFailure(what, error);
    }
    await queries.invalidateQueries({ queryKey: ['discovery', 'tokens'] });
  };
  const make = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name') ?? '').trim();
    void doing('The token could not be made', async () => {
      setIssued(await makeScannerToken(call, { name, expires_in: expires }));
      form.reset();
    });
  };
  return (
    <>
      <form className={classes.tokenForm} onSubmit={make}>
        <TextInput name="name" label="A new token for" placeholder="nmap of rack 1" required maxLength={255} />
        <Select
          label="Ends after"
          data={LENGTHS}
          value={expires}
          allowDeselect={false}
          onChange={(next) => setExpires(next ?? '90d')}
        />
        <Button type="submit">Make it</Button>
      </form>
      <Region query={tokens} what="The tokens" skeleton={<Skeleton rows={3} height={44} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Notice title="No scanner has a token yet">
              A token of a scanner can give in scans and read them, and nothing else.
            </Notice>
          ) : (
            <ul className={classes.cards}>
              {data.map(({ id, name, last_used_at: used, expires_at: ends }) => (
                <li key={id} className={classes.hostRow}>
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
                    <Button
                      variant="default"
                      onClick={() =>
                        void doing('The token could not be renewed', async () =>
                          setIssued(await renewScannerToken(call, id, {})),
                        )
                      }
                    >
                      New value
                    </Button>
                    {ending === id ? (
                      <Button
                        color="red"
                        variant="outline"
                        onClick={() =>
                          void doing('The token could not be ended', async () => {
                            await revokeScannerToken(call, id);
                            say({ text: `The token of ${name} is no longer good` });
                          })
                        }
                      >
                        End it for good
                      </Button>
                    ) : (
                      <Button variant="subtle" onClick={() => setEnding(id)}>
                        End it
                      </Button>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Region>
      {issued === null ? null : <Issued token={issued} onClose={() => setIssued(null)} />}
    </>
  );
}
