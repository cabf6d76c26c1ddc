import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSourceToken } from '#console/actions/use-source-token.ts';
import type { SourceDetail } from '#console/api/sources.ts';
import { FactsList } from '#console/data/facts-list.tsx';
import { Snippet } from '#console/facts/snippet.tsx';
import { CopyButton } from '#console/forms/copy-button.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { Section } from '#console/frame/section.tsx';
import classes from './sources.module.css';

const CARRIES = {
  header: 'in the header Authorization, after the word Bearer',
  password: 'as the password of the address',
  query: 'as ?token= in the address',
} as const;

/** Address, token and what to paste; a token that was just made stands in it until the page is left. */
export function SetUp({ source }: { readonly source: SourceDetail }) {
  const { token, isBusy, make, filled, lacks } = useSourceToken(source);
  const [isShown, setShown] = useState(false);
  const show = async (): Promise<void> => {
    if (await make()) setShown(true);
  };
  return (
    <Section
      title="Set it up"
      lead={
        token === null
          ? `Make a token first: it then stands below, where ${source.tokenPlace} is now.`
          : 'The new token stands below until you leave this page. Copy what you need and paste it at the monitor.'
      }
      end={
        <Button loading={isBusy} variant={token === null ? 'filled' : 'default'} onClick={() => void show()}>
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
          <Snippet key={title} title={title} text={filled(text)} lacks={lacks(text)} />
        ))}
      </div>
      <SecretDialog secret={isShown ? token : null} title={`Token of ${source.title}`} onClose={() => setShown(false)}>
        It can send events, and nothing else. It also stands in what this page gives you to paste.
      </SecretDialog>
    </Section>
  );
}
