import { Page } from '#console/frame/page.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { inPlace, type StartCard, useSlot } from '#console/slots/feature.ts';
import { SourceCard } from './source-card.tsx';
import classes from './start.module.css';

const SOURCES: StartCard = {
  id: 'sources',
  place: 10,
  isFor: ({ permissions }) => permissions.includes('tokens.manage'),
  Part: SourceCard,
};

/** The first run; later the way to set up more. */
export function StartPage() {
  const me = useMe();
  const cards = inPlace([SOURCES, ...useSlot('startCards')]).map((card, at) => ({ ...card, number: at + 1 }));
  const own = cards.filter(({ isFor }) => isFor(me));
  return (
    <Page
      title={me.empty.events ? 'Nothing has arrived yet' : 'Set-up'}
      lead={me.empty.events ? 'Three ways to begin:' : 'More monitors, more of what you have, or the demo.'}
      scrolls
    >
      <div className={classes.cards}>
        {own.map(({ id, number, Part }) => (
          <Part key={id} number={number} />
        ))}
      </div>
      {own.length === 0 ? <p>Your role may look and not set up. An administrator of {me.tenant.id} can.</p> : null}
    </Page>
  );
}
