import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '#console/api/sources.ts';
import { makeToken } from '#console/api/tokens.ts';
import { FactsList } from '#console/data/facts-list.tsx';
import { Section } from '#console/data/section.tsx';
import { Snippet } from '#console/facts/snippet.tsx';
import { CopyButton } from '#console/forms/copy-button.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import classes from './sources.module.css';

const CARRIES = {
  header: 'in the header Authorization',
  password: 'as the password of the address',
  query: 'as ?token= in the address',
} as const;

/** Address, token and what to paste; a token that was just made stands in the snippets until the page is left. */
export function SetUp({ source }: { readonly source: SourceDetail }) {
  const { call } = useParts();
  const [token, setToken] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    setBusy(true);
    try {
      const scope = source.isMonitor ? 'events.webhook' : 'events.ingest';
      const issued = await makeToken(call, { name: source.name, scopes: [scope] });
      setToken(issued.token);
      setShown(true);
    } catch (error) {
      sayFailure('The token could not be made', error);
    }
    setBusy(false);
  };
  const filled = (text: string): string => (token === null ? text : text.replaceAll(source.tokenPlace, token));
  return (
    <Section
      title="Set it up"
      lead={
        token === null
          ? `Make a token first, and it stands in the snippets; else put one in the place of ${source.tokenPlace}.`
          : 'The new token stands in the snippets until you leave this page.'
      }
      end={
        <Button loading={isBusy} variant={token === null ? 'filled' : 'default'} onClick={() => void make()}>
          {token === null ? 'Make a token' : 'Make another token'}
        </Button>
      }
    >
      <div className={classes.stack}>
        <FactsList
          facts={[
            [
              'Address',
              <span key="address" className={classes.line}>
                <code className={classes.code}>{source.address}</code>
                <CopyButton text={source.address} />
              </span>,
            ],
            ['Token', `${CARRIES[source.carries]}; it can send events and nothing else, and does not expire`],
          ]}
        />
        {source.snippets.map(({ title, text }) => (
          <Snippet key={title} title={title} text={filled(text)} />
        ))}
      </div>
      <SecretDialog secret={isShown ? token : null} title={`Token of ${source.title}`} onClose={() => setShown(false)}>
        It can send events, and nothing else. It stands in the snippets of this page as well.
      </SecretDialog>
    </Section>
  );
}
