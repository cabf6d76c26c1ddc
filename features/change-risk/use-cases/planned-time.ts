import type { AiSettings } from '#domain/ai/settings.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { TimeSpan } from '#domain/topology/maintenance-window.ts';
import type { ChangePicture } from '#features/change-risk/rules/change-picture.ts';
import { dayAfter, localTime } from '#features/change-risk/rules/local-time.ts';

type Asking = Pick<Ports, 'holidays'>;

/** Days of public holidays in the years of a date and of its morrow. */
async function holidaysAbout({ holidays }: Asking, country: string | null, date: string): Promise<ReadonlySet<string>> {
  if (country === null) return new Set();
  const years = new Set([date, dayAfter(date)].map((day) => Number(day.slice(0, 4))));
  const found = await Promise.all([...years].map((year) => holidays.of({ country }, year)));
  return new Set(found.flat().flatMap(({ type, dates }) => (type === 'public' ? dates : [])));
}

/** When a change is planned, as people of the tenant see it. */
export async function plannedTime(
  ports: Asking,
  { country, zone }: Pick<AiSettings, 'country' | 'zone'>,
  span: TimeSpan,
): Promise<ChangePicture['planned']> {
  const local = localTime(span.from, zone);
  return { span, local, holidays: await holidaysAbout(ports, country, local.date), zone };
}
