import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { listCis } from '#console/api/cmdb/cmdb.ts';
import { listGroups } from '#console/api/groups.ts';
import detail from '#console/cis/detail.module.css';
import { Panels } from '#console/cis/panels.tsx';
import { useStates } from '#console/cis/use-states.ts';
import { Icon } from '#console/facts/icon.tsx';
import heading from '#console/frame/heading.module.css';
import { Page } from '#console/frame/page.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { readDependencies, readService, type ServiceShown } from './api.ts';
import { Components } from './components.tsx';
import { HealthMark } from './health-mark.tsx';
import { Needs } from './needs.tsx';
import { OpenGroups } from './open-groups.tsx';
import { ServiceMap } from './service-map.tsx';

const MOST_CIS = 100;
const FEW_GROUPS = 10;
const LEAST_MS = 3_000;

const useServiceFacts = (service: ServiceShown) => {
  const { call } = useParts();
  const mayReadCis = useMay('cmdb.read');
  const ids = service.components.map(({ ci_id }) => ci_id).slice(0, MOST_CIS);
  const cis = useQuery({
    queryKey: ['cis', 'named', ids],
    queryFn: async ({ signal }) => (await listCis(call, { ids, limit: MOST_CIS }, signal)).data,
    enabled: mayReadCis && ids.length > 0,
  });
  const needs = useQuery({
    queryKey: ['services', 'needs', service.id],
    queryFn: ({ signal }) => readDependencies(call, service.id, signal),
  });
  const groups = useQuery({
    queryKey: ['groups', 'of-service', service.name],
    queryFn: ({ signal }) =>
      listGroups(
        call,
        { service: service.name, status: 'active,acknowledged', view: 'row', limit: FEW_GROUPS },
        signal,
      ),
    enabled: useMay('events.read'),
  });
  useLive(['groups'], () => groups.refetch(), undefined, LEAST_MS);
  return { cis: cis.data ?? [], needs, groups, states: useStates(ids) };
};

function ServiceView({ service }: { readonly service: ServiceShown }) {
  const { name, description, health, criticality, sla } = service;
  const { cis, needs, groups, states } = useServiceFacts(service);
  return (
    <div className={detail.page}>
      <header className={detail.head}>
        <Link to="/services" className={heading.back}>
          <Icon name="left" size={14} /> Services
        </Link>
        <h1 className={heading.title}>{name}</h1>
        <p className={heading.facts}>
          <HealthMark status={health.status} />
          {health.status === 'unknown' ? (
            <span>without components nobody can tell</span>
          ) : (
            <span>{Math.round(health.score)} of 100</span>
          )}
          <span>{criticality} importance</span>
          {sla.availability === undefined ? null : <span>available {sla.availability}</span>}
          {sla.response_time === undefined ? null : <span>answers within {sla.response_time}</span>}
        </p>
        {description === '' ? null : <p className={detail.description}>{description}</p>}
      </header>
      <Panels
        left={
          <>
            <Panel title="Groups that hit it">
              <OpenGroups groups={groups} />
            </Panel>
            <Panel title="Components">
              <Components service={service} cis={cis} states={states} />
            </Panel>
          </>
        }
        right={
          <>
            <ServiceMap service={service} cis={cis} states={states} needs={needs.data} />
            <Panel title="What it needs">
              <Needs query={needs} side="upstream" nothing="No other service is known to be needed." />
            </Panel>
            <Panel title="What needs it">
              <Needs query={needs} side="downstream" nothing="No other service is known to need it." />
            </Panel>
          </>
        }
      />
    </div>
  );
}

/** One service. */
export function ServicePage() {
  const { call } = useParts();
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const query = useQuery({ queryKey: ['services', 'one', id], queryFn: ({ signal }) => readService(call, id, signal) });
  useLive(['events', 'topology'], () => query.refetch(), undefined, LEAST_MS);
  return (
    <Page title={query.data?.name ?? 'Service'} quiet heading={false}>
      <div className={detail.scroll}>
        <Region query={query} what="The service" skeleton={<Skeleton rows={10} height={48} />}>
          {(service) => <ServiceView key={service.id} service={service} />}
        </Region>
      </div>
    </Page>
  );
}
