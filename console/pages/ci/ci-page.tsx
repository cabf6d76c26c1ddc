import { useParams } from '@tanstack/react-router';
import detail from '#console/cis/detail.module.css';
import { Page } from '#console/frame/page.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { CiView } from './ci-view.tsx';
import { useCi } from './use-ci.ts';

/** One configuration item. */
export function CiPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const query = useCi(id);
  return (
    <Page title={query.data?.ci.name ?? 'CI'} quiet heading={false}>
      <div className={detail.scroll}>
        <Region query={query} what="The CI" skeleton={<Skeleton rows={10} height={48} />}>
          {({ ci, etag }) => <CiView key={ci._id} ci={ci} etag={etag} />}
        </Region>
      </div>
    </Page>
  );
}
