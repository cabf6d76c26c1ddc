import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { askReports } from './api.ts';
import classes from './reports.module.css';
import { ToldView } from './told-view.tsx';

const MOST_LETTERS = 1_000;
const EXAMPLES = [
  'Top 5 noisiest hosts in the last 24 hours',
  'Events per hour in the last 24 hours',
  'Mean time to resolve by service this week',
] as const;

/** A question in English, answered by counting. It stands in the address, so that a link asks the same. */
export function AskPart({ address }: { readonly address: Address }) {
  const { call } = useParts();
  const { zone } = useSettings();
  const asked = address.query.ask ?? '';
  const foretells = address.query.foretell === 'yes';
  const [text, setText] = useState(asked);
  // Back and forward change the answer, so the question above it, too.
  const [answered, setAnswered] = useState(asked);
  if (answered !== asked) {
    setAnswered(asked);
    setText(asked);
  }
  const told = useQuery({
    queryKey: ['reports', 'told', asked, foretells, zone],
    queryFn: () => askReports(call, asked, foretells, zone),
    enabled: asked !== '',
    staleTime: 5 * 60_000,
  });
  const ask = (question: string): void => {
    setText(question);
    address.change({ ask: question });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') address.change({ ask: text.trim() });
  };
  return (
    <div className={classes.stack}>
      <form className={classes.ask} onSubmit={submit}>
        <TextInput
          size="sm"
          aria-label="Question"
          placeholder="How many critical events were there last week?"
          maxLength={MOST_LETTERS}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" size="sm" disabled={text.trim() === ''} loading={told.isFetching}>
          Ask
        </Button>
        <Checkbox
          label="Foretell what comes next, where the answer stands in time"
          checked={foretells}
          onChange={({ currentTarget }) => address.change({ foretell: currentTarget.checked ? 'yes' : null })}
        />
      </form>
      {asked === '' ? (
        <div className={classes.examples}>
          <span className={classes.dim}>For example:</span>
          {EXAMPLES.map((example) => (
            <Button key={example} variant="default" onClick={() => ask(example)}>
              {example}
            </Button>
          ))}
        </div>
      ) : (
        <Region query={told} what="The answer" skeleton={<Skeleton rows={6} height={36} />}>
          {(one) => <ToldView told={one} ask={ask} />}
        </Region>
      )}
    </div>
  );
}
