import { useNamed } from '#console/cis/use-named.ts';
import { Page } from '#console/frame/page.tsx';
import { useAddress } from '#console/hooks/use-address.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { askedMap } from './asked.ts';
import { MapView } from './map-view.tsx';
import { PastBar } from './past-bar.tsx';
import { Start } from './start.tsx';
import { Toolbar } from './toolbar.tsx';
import classes from './topology.module.css';
import { useMap } from './use-map.ts';

/** Neighbourhood and impact of CIs, and the way between two. */
export function TopologyPage() {
  const address = useAddress();
  const asked = askedMap(address.query);
  const { map, isReady } = useMap(asked);
  const named = useNamed([...asked.cis, ...(asked.to === null ? [] : [asked.to])]);
  const select = (id: string | null): void => address.change({ chosen: id }, { replace: true });
  const names = new Map((named.data ?? []).map(({ _id, name }) => [_id, name]));
  const drawn = new Set(map.data?.drawing.edges.map(({ type }) => type));
  return (
    <Page title="Topology" quiet>
      <Toolbar asked={asked} names={names} drawn={drawn} address={address} />
      {asked.cis[0] === undefined ? null : <PastBar near={asked.cis[0]} at={asked.at} address={address} />}
      <div className={classes.place}>
        {asked.cis.length === 0 ? (
          <Start address={address} />
        ) : !isReady ? (
          <Notice title="Where does the way lead?">
            Choose the other CI above, or in a map of what is around the first.
          </Notice>
        ) : (
          <Region query={map} what="The map" skeleton={<Skeleton rows={10} height={48} />}>
            {(found) => (
              <MapView
                found={found}
                asked={asked}
                address={address}
                selected={address.query.chosen ?? null}
                onSelect={select}
              />
            )}
          </Region>
        )}
      </div>
    </Page>
  );
}
