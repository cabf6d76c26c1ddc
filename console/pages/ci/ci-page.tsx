import { useParams } from '@tanstack/react-router';
import detail from '#console/cis/detail.module.css';
import { Page } from '#console/frame/page.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import { CiView } from './ci-view.tsx';
import * as text from './texts.ts';
import { useCi } from './use-ci.ts';

/** One configuration item. */
export function CiPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const query = useCi(id);
  return (
    <Page title={query.data?.ci.name ?? text.ci} heading={false}>
      <div className={detail.scroll}>
        <Region query={query} what={nouns.ci} skeleton={<Skeleton rows={10} height={48} />}>
          {({ ci, etag }) => <CiView key={ci._id} ci={ci} etag={etag} />}
        </Region>
      </div>
    </Page>
  );
}
