const FIELDS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;

/** `2026-11-23T10:20`, as a field for date and time has it. Null: the zone of the computer. */
export const localText = (ms: number, zone: string | null): string => {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...FIELDS,
    hourCycle: 'h23',
    ...(zone !== null && { timeZone: zone }),
  });
  const { year, month, day, hour, minute } = Object.fromEntries(
    format.formatToParts(ms).map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day}T${hour}:${minute}`;
};

const asUtc = (text: string): number => Date.parse(`${text.slice(0, 16)}Z`);

/** Returns epoch ms of such a text; for an ambiguous hour the first, and null for an invalid time. */
export const zonedMs = (text: string, zone: string | null): number | null => {
  const wanted = asUtc(text);
  if (Number.isNaN(wanted)) return null;
  const offset = (at: number): number => asUtc(localText(at, zone)) - Math.floor(at / 60_000) * 60_000;
  // The offset a day before and a day after are those on either side of a change of the clocks.
  const [before, after] = [wanted - offset(wanted - DAY), wanted - offset(wanted + DAY)];
  return localText(before, zone) === text.slice(0, 16) ? before : after;
};

const DAY = 86_400_000;
