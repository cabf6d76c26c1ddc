import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { ArrivalView } from './arrival-view.tsx';
import { GroupingView } from './grouping-view.tsx';
import { QualityView } from './quality/quality-view.tsx';
import classes from './tuning.module.css';

const VIEWS = [
  { value: 'grouping', words: 'Grouping' },
  { value: 'events', words: 'Life of an event' },
  { value: 'quality', words: 'How good it is' },
] as const;
type View = (typeof VIEWS)[number]['value'];

const LEADS: Readonly<Record<View, string>> = {
  grouping:
    'What makes events one group, and which of them is the cause. Most estates need none of this changed; what you change is tried on stored events first.',
  events: 'What becomes an event, and when silence ends it. It counts for what arrives from then on.',
  quality: 'What people said of groups: whether the cause was right, and whether the events belonged together.',
};

/** Settings of correlation, tried before they count, and how good the groups are. */
export function TuningPage() {
  const address = useAddress();
  const mayRead = useMay('events.read');
  const views = VIEWS.filter(({ value }) => value !== 'quality' || mayRead);
  const view = views.find(({ value }) => value === address.query.view)?.value ?? 'grouping';
  return (
    <Page title="Tuning" lead={LEADS[view]} scrolls>
      <div className={classes.views}>
        <Tabs
          label="Parts of tuning"
          value={view}
          tabs={views}
          onChange={(next) => address.change({ view: next === 'grouping' ? null : next })}
        />
      </div>
      {view === 'grouping' ? <GroupingView address={address} /> : null}
      {view === 'events' ? <ArrivalView /> : null}
      {view === 'quality' ? <QualityView address={address} /> : null}
    </Page>
  );
}
