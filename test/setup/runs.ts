// biome-ignore lint/style/noProcessEnv: the only switch between the two.
const isLong = process.env.FAULTLINE_LONG !== undefined;

/** Number of runs of a property: few beside other tests, many in `npm run test:long`. */
export const runs = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  isLong ? long : short;

/** Time-out of such a test, ms: in `npm run test:long` an hour. */
export const longest = (shortMs: number): number => (isLong ? 3_600_000 : shortMs);
