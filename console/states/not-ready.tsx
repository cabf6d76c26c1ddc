import { useQuery } from '@tanstack/react-query';
import { readReadiness } from '#console/api/ready.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import classes from './states.module.css';
import * as text from './texts.ts';

/** Explains a 503 of the server: its unhealthy parts, in its own words. */
export function NotReady() {
  const { root } = useAppServices();
  const { data } = useQuery({
    queryKey: ['readyz'],
    queryFn: ({ signal }) => readReadiness(root, signal),
    staleTime: 0,
    retry: false,
  });
  const ill = (data?.checks ?? []).filter(({ ok, warn }) => !ok || warn === true);
  if (data === undefined) return null;
  if (ill.length === 0) return <p className={classes.checks}>{text.overloaded}</p>;
  return (
    <ul className={classes.checks} aria-label={text.unhealthyComponents}>
      {ill.map(({ name, detail }) => (
        <li key={name}>
          <strong>{name}</strong>: {detail}
        </li>
      ))}
    </ul>
  );
}
