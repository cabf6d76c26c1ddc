import { useParams } from '@tanstack/react-router';
import { Page } from '#console/frame/page.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { groupTitle } from '#console/text/group-text.ts';
import classes from './group.module.css';
import { GroupView } from './group-view.tsx';
import { useGroup } from './read/use-group.ts';
import * as text from './texts.ts';

/** One group. */
export function GroupPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const query = useGroup(id);
  return (
    <Page title={query.data === undefined ? 'Group' : groupTitle(query.data)} heading={false}>
      <div className={classes.scroll}>
        <Region query={query} what={text.group} skeleton={<Skeleton rows={10} height={48} />}>
          {(group) => <GroupView key={group.correlationId} group={group} />}
        </Region>
      </div>
    </Page>
  );
}
